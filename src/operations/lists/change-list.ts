/** Creates, changes and removes lists of the caller (specification 4.5). */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import type { StoredList } from '../../actors/account/lists/lists.queries.ts';
import { List } from '../../actors/account/lists/lists.records.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { checkTitle, onOwnList, ownList } from './own-list.ts';

const { title, repliesPolicy, exclusive } = List.shape;

export const createList = operation({
  input: z.object({ title, repliesPolicy, exclusive }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, given): Promise<StoredList> {
    checkTitle(given.title);
    const { listId } = await services.client.call(Account.createList.to(caller.accountId, given), flowOf(caller));
    return ownList(services, caller.accountId, listId);
  },
});

export const changeList = operation({
  /** Undefined fields stay unchanged. */
  input: z.object({
    listId: identifier,
    title: title.optional(),
    repliesPolicy: repliesPolicy.optional(),
    exclusive: exclusive.optional(),
  }),
  permission: 'manageOwnAccount',
  on: onOwnList,
  async run({ caller, services }, change): Promise<StoredList> {
    checkTitle(change.title);
    await services.client.call(Account.changeList.to(caller.accountId, change), flowOf(caller));
    return ownList(services, caller.accountId, change.listId);
  },
});

export const removeList = operation({
  input: z.object({ listId: identifier }),
  permission: 'manageOwnAccount',
  on: onOwnList,
  async run({ caller, services }, { listId }): Promise<void> {
    await services.client.call(Account.removeList.to(caller.accountId, { listId }), flowOf(caller));
  },
});
