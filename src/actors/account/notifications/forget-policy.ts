/** Of an account that is gone: whom it let notify it, and how. */
import type { AccountTurn } from '../account.turn.ts';
import { notificationPermissions, notificationPolicies } from './notification-requests.state.ts';

/** At most so many permissions; true where there are more. */
export function forgetPolicy(turn: AccountTurn, limit: number): boolean {
  const { key: accountId } = turn.self;
  turn.delete(notificationPolicies, [accountId]);
  const permissions = [...turn.range(notificationPermissions, [accountId], { limit })];
  for (const { key } of permissions) turn.delete(notificationPermissions, key);
  return permissions.length === limit;
}
