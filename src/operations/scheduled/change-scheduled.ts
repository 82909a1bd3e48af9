/** Reschedules or cancels a scheduled status of the caller. Throws Failure notFound for any other. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const rescheduleStatus = operation({
  input: z.object({ scheduledId: identifier, scheduledAt: z.number() }),
  permission: 'post',
  async run({ caller, services }, given): Promise<void> {
    await services.client.call(Account.reschedulePost.to(caller.accountId, given), flowOf(caller));
  },
});

export const unscheduleStatus = operation({
  input: z.object({ scheduledId: identifier }),
  permission: 'post',
  async run({ caller, services }, given): Promise<void> {
    await services.client.call(Account.unschedulePost.to(caller.accountId, given), flowOf(caller));
  },
});
