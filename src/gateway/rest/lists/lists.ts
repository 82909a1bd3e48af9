/** Lists of followed accounts (specification 4.5): not paginated, and private to their owner. */
import { z } from 'zod';
import { listsOf, listsWithMember } from '../../../actors/account/lists/lists.queries.ts';
import { repliesPolicies } from '../../../actors/account/lists/lists.records.ts';
import { knownAccount } from '../../../operations/accounts/known-account.ts';
import { changeList, createList, removeList } from '../../../operations/lists/change-list.ts';
import { ownList } from '../../../operations/lists/own-list.ts';
import { ListEntity, listEntity } from '../../entities/list.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { boolean, choice, id, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const parameters = { title: text, replies_policy: choice(repliesPolicies), exclusive: boolean };

export const getLists = endpoint({
  method: 'GET',
  path: '/api/v1/lists',
  authentication: 'user',
  scopes: ['read:lists'],
  summary: 'Lists the lists of the user.',
  answer: z.array(ListEntity),
  handler: ({ services, grant }) => json(listsOf(services.snapshots, grant.accountId).map(listEntity)),
});

export const getListsOfMember = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/lists',
  authentication: 'user',
  scopes: ['read:lists'],
  parameters: z.object({ id }),
  summary: "Lists the user's lists that contain an account.",
  answer: z.array(ListEntity),
  handler({ services, grant }, { id: memberId }) {
    knownAccount(services, memberId);
    return json(listsWithMember(services.snapshots, grant.accountId, memberId).map(listEntity));
  },
});

export const getList = endpoint({
  method: 'GET',
  path: '/api/v1/lists/:id',
  authentication: 'user',
  scopes: ['read:lists'],
  parameters: z.object({ id }),
  summary: 'Returns a list of the user.',
  answer: ListEntity,
  handler: ({ services, grant }, { id: listId }) => json(listEntity(ownList(services, grant.accountId, listId))),
});

export const postList = endpoint({
  method: 'POST',
  path: '/api/v1/lists',
  authentication: 'user',
  scopes: ['write:lists'],
  parameters: z.object(parameters),
  summary: 'Creates a list.',
  answer: ListEntity,
  async handler(context, { title = '', replies_policy: repliesPolicy = 'list', exclusive = false }) {
    return json(listEntity(await createList(context, { title, repliesPolicy, exclusive })));
  },
});

export const putList = endpoint({
  methods: ['PUT', 'PATCH'],
  path: '/api/v1/lists/:id',
  authentication: 'user',
  scopes: ['write:lists'],
  parameters: z.object({ id, ...parameters }),
  summary: 'Changes a list.',
  answer: ListEntity,
  async handler(context, { id: listId, title, replies_policy: repliesPolicy, exclusive }) {
    return json(listEntity(await changeList(context, { listId, title, repliesPolicy, exclusive })));
  },
});

export const deleteList = endpoint({
  method: 'DELETE',
  path: '/api/v1/lists/:id',
  authentication: 'user',
  scopes: ['write:lists'],
  parameters: z.object({ id }),
  summary: 'Removes a list.',
  answer: EmptyEntity,
  async handler(context, { id: listId }) {
    await removeList(context, { listId });
    return empty();
  },
});

export const ownListEndpoints = [getLists, getListsOfMember, getList, postList, putList, deleteList];
