/** The members of a list (specification 4.5: pagination is optional). */
import { z } from 'zod';
import { membersOf } from '../../../actors/account/lists/lists.queries.ts';
import type { Page, PageBounds } from '../../../actors/pages.ts';
import { addToList, removeFromList } from '../../../operations/lists/list-members.ts';
import { ownList } from '../../../operations/lists/own-list.ts';
import { AccountEntity } from '../../entities/account.ts';
import type { EncodableAccount } from '../../entities/encoded-account.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { empty } from '../../http/answers.ts';
import { JsonPieces } from '../../http/json-pieces.ts';
import { id, idList, limit, pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerAccountPage } from '../accounts/answers.ts';
import { jsonBytes } from '../status-answers.ts';

/** 0 requests all members at once. */
const allOrLimit = z.preprocess((value) => (value === '0' ? 0 : value), z.union([z.literal(0), limit(40, 80)]));

/** Some 1.5 ms (measured). */
const membersPerSlice = 64;

export const getListMembers = endpoint({
  method: 'GET',
  path: '/api/v1/lists/:id/accounts',
  authentication: 'user',
  scopes: ['read:lists'],
  parameters: z.object({ id, ...pageParameters(40, 80), limit: allOrLimit }),
  summary: 'Lists the members of a list, latest first; all of them with a limit of 0.',
  answer: z.array(AccountEntity),
  handler(context, given) {
    const { services, grant, request } = context;
    const { id: listId } = ownList(services, grant.accountId, given.id);
    const read = (bounds: PageBounds) =>
      membersOf(services.snapshots, listId, services.presenter.shownAccounts(grant.accountId), bounds);
    if (given.limit > 0) return answerAccountPage(context, given, read);
    const all = services.slices.run(allMembers(services, read), request);
    return all instanceof Promise ? all.then((pieces) => jsonBytes(pieces)) : jsonBytes(all);
  },
});

/** In slices: a list may have thousands of members. */
function* allMembers(
  { answers }: Pick<GatewayServices, 'answers'>,
  read: (bounds: PageBounds) => Page<EncodableAccount>,
): Generator<undefined, readonly Buffer[]> {
  const members = new JsonPieces();
  for (let page = read({ limit: membersPerSlice }); ; page = read({ limit: membersPerSlice, maxId: page.oldest })) {
    members.addArray(answers.accounts(page.items));
    if (!page.full) return members.end();
    yield;
  }
}

const change = { path: '/api/v1/lists/:id/accounts', authentication: 'user', scopes: ['write:lists'] } as const;
const parameters = z.object({ id, account_ids: idList });

export const postListMembers = endpoint({
  ...change,
  method: 'POST',
  parameters,
  summary: 'Adds followed accounts to a list, all or none.',
  answer: EmptyEntity,
  async handler(context, { id: listId, account_ids: memberIds = [] }) {
    await addToList(context, { listId, memberIds });
    return empty();
  },
});

export const deleteListMembers = endpoint({
  ...change,
  method: 'DELETE',
  parameters,
  summary: 'Removes accounts from a list.',
  answer: EmptyEntity,
  async handler(context, { id: listId, account_ids: memberIds = [] }) {
    await removeFromList(context, { listId, memberIds });
    return empty();
  },
});

export const listMemberEndpoints = [getListMembers, postListMembers, deleteListMembers];
