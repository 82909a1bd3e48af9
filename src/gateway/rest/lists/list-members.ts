/** The members of a list (specification 4.5: pagination is optional). */
import { z } from 'zod';
import { allMembersOf, membersOf } from '../../../actors/account/lists/lists.queries.ts';
import { addToList, removeFromList } from '../../../operations/lists/list-members.ts';
import { ownList } from '../../../operations/lists/own-list.ts';
import { AccountEntity } from '../../entities/account.ts';
import { accountsFor } from '../../entities/accounts-for.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { id, idList, limit, pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerAccountPage } from '../accounts/answers.ts';

/** 0 requests all members at once. */
const allOrLimit = z.preprocess((value) => (value === '0' ? 0 : value), z.union([z.literal(0), limit(40, 80)]));

export const getListMembers = endpoint({
  method: 'GET',
  path: '/api/v1/lists/:id/accounts',
  authentication: 'user',
  scopes: ['read:lists'],
  parameters: z.object({ id, ...pageParameters(40, 80), limit: allOrLimit }),
  summary: 'The members of a list, latest first; all of them with a limit of 0.',
  answer: z.array(AccountEntity),
  handler(context, given) {
    const { services, grant } = context;
    const { id: listId } = ownList(services, grant.accountId, given.id);
    if (given.limit === 0) {
      const viewer = services.presenter.viewer(grant.accountId);
      const members = allMembersOf(services.snapshots, listId, viewer);
      const shown = accountsFor(services, grant.accountId);
      return json(members.map((member) => shown(member)));
    }
    return answerAccountPage(context, given, (bounds) =>
      membersOf(services.snapshots, listId, services.presenter.viewer(grant.accountId), bounds),
    );
  },
});

const change = { path: '/api/v1/lists/:id/accounts', authentication: 'user', scopes: ['write:lists'] } as const;
const parameters = z.object({ id, account_ids: idList });

export const postListMembers = endpoint({
  ...change,
  method: 'POST',
  parameters,
  summary: 'Puts followed accounts into a list, all of them or none.',
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
  summary: 'Takes accounts out of a list.',
  answer: EmptyEntity,
  async handler(context, { id: listId, account_ids: memberIds = [] }) {
    await removeFromList(context, { listId, memberIds });
    return empty();
  },
});

export const listMemberEndpoints = [getListMembers, postListMembers, deleteListMembers];
