/** Removes all notifications of one group of the caller, if it exists. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { findNotification } from '../../actors/account/notifications/notifications.queries.ts';
import { groupOfKey } from '../../actors/policy/notification-groups.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { dismissNotification } from './dismiss-notification.ts';

export const dismissNotificationGroup = operation({
  input: z.object({ key: z.string() }),
  permission: 'manageOwnAccount',
  async run(context, { key }): Promise<void> {
    const { caller, services } = context;
    const group = groupOfKey(key);
    if (group === undefined) return;
    if (!('aloneId' in group)) {
      await services.client.call(Account.dismissGroup.to(caller.accountId, { group }), flowOf(caller));
    } else if (findNotification(services.snapshots, caller.accountId, group.aloneId) !== undefined)
      await dismissNotification(context, { notificationId: group.aloneId });
  },
});
