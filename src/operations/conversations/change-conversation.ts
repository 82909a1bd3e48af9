/**
 * Marks a conversation of the caller as read or unread, or removes it until it gets a new status. Throws Failure notFound
 * for any other.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

const input = z.object({ threadId: identifier });

export const readConversation = operation({
  input,
  permission: 'interact',
  async run({ caller, services }, given): Promise<void> {
    await services.client.call(Account.readConversation.to(caller.accountId, given), flowOf(caller));
  },
});

export const unreadConversation = operation({
  input,
  permission: 'interact',
  async run({ caller, services }, given): Promise<void> {
    await services.client.call(Account.unreadConversation.to(caller.accountId, given), flowOf(caller));
  },
});

export const removeConversation = operation({
  input,
  permission: 'interact',
  async run({ caller, services }, given): Promise<void> {
    await services.client.call(Account.removeConversation.to(caller.accountId, given), flowOf(caller));
  },
});
