/** Statuses of a remote account that nobody here uses, and that are old enough to go (instance/retention). */
import type { BodyOf } from '../../../runtime/contract.ts';
import { isFetchable } from '../../policy/forgettable.ts';
import type { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { forget } from '../statuses/forget-status.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { isInUse } from './forgettable.queries.ts';

/**
 * The caller has found that no local account keeps them; what their author knows is looked at again here, because somebody
 * may have answered or favourited one meanwhile. Newest first, so that a thread of one author goes as a whole.
 */
export function forgetStatuses(
  turn: AccountTurn,
  { statusIds, before }: BodyOf<typeof Account.forgetStatuses>,
): { forgotten: number } {
  let forgotten = 0;
  for (const statusId of statusIds) {
    const status = turn.get(statuses, [statusId]);
    if (status === undefined || status.accountId !== turn.self.key || !isFetchable(status)) continue;
    if (isInUse(turn, status, before)) continue;
    forget(turn, status);
    forgotten += 1;
  }
  return { forgotten };
}
