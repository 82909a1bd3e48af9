/** Marks notifications as read up to this one. The marker never moves backwards. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { markersOf } from '../../actors/account/markers/markers.queries.ts';
import { asFailure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const readNotifications = operation({
  input: z.object({ newestId: identifier }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, { newestId }): Promise<void> {
    const { notifications } = markersOf(services.snapshots, caller.accountId);
    if (notifications !== undefined && notifications.lastReadId >= newestId) return;
    const move = { notifications: { lastReadId: newestId, seenVersion: notifications?.version ?? 0 } };
    try {
      await services.client.call(Account.moveMarkers.to(caller.accountId, move), flowOf(caller));
    } catch (error) {
      // Another page or client has moved it at the same time.
      if (asFailure(error).code !== 'conflict') throw error;
    }
  },
});
