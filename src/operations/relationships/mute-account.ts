/** Mutes an account, or changes the existing mute. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { relationshipLimits } from '../../actors/account/relationships/limits.ts';
import { knownAccount } from '../accounts/known-account.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { relationshipWith } from './change-relationship.ts';

export const muteAccount = operation({
  input: z.object({
    accountId: identifier,
    hideNotifications: z.boolean(),
    /** 0 for a mute without end. */
    durationSeconds: z.int().min(0),
  }),
  permission: 'relate',
  async run(context, { accountId: targetId, hideNotifications, durationSeconds: wanted }) {
    const { caller, services } = context;
    knownAccount(services, targetId);
    const durationSeconds = Math.min(wanted, relationshipLimits.muteSecondsMax);
    const message = Account.mute.to(caller.accountId, { targetId, hideNotifications, durationSeconds });
    await services.client.call(message, flowOf(caller));
    return relationshipWith(context, targetId);
  },
});
