/** Changes the notification policy of an account. Rules that are not given stay unchanged. */

import type { BodyOf } from '../../../runtime/contract.ts';
import { defaultNotificationPolicy } from '../../policy/notification-policy.ts';
import type { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { notificationPolicies } from './notification-requests.state.ts';

export function changeNotificationPolicy(
  turn: AccountTurn,
  changes: BodyOf<typeof Account.changeNotificationPolicy>,
): undefined {
  ownProfile(turn);
  const before = turn.get(notificationPolicies, [turn.self.key]) ?? defaultNotificationPolicy;
  const given = Object.fromEntries(Object.entries(changes).filter(([, treatment]) => treatment !== undefined));
  turn.put(notificationPolicies, [turn.self.key], { ...before, ...given });
}
