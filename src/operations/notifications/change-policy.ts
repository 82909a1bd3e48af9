/** Changes the caller's policy for notifications from unknown senders; undefined rules stay unchanged. */
import { Account } from '../../actors/account/account.messages.ts';
import { NotificationPolicy } from '../../actors/policy/notification-policy.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const changeNotificationPolicy = operation({
  input: NotificationPolicy.partial(),
  permission: 'manageOwnAccount',
  run: ({ caller, services }, changes) =>
    services.client.call(Account.changeNotificationPolicy.to(caller.accountId, changes), flowOf(caller)),
});
