/** A notification of a strike shows what became of the appeal against it. */
import type { Id } from '../../../runtime/ids.ts';
import type { AccountTurn } from '../account.turn.ts';
import { countNotifications } from './count.ts';
import type { Appeal } from './notifications.records.ts';
import { notifications } from './notifications.state.ts';

/** Does nothing where the notification is gone. */
export function reviseWarning(turn: AccountTurn, strikeId: Id, appeal: Appeal): void {
  const { key: accountId } = turn.self;
  const brought = turn.get(notifications, [accountId, strikeId]);
  if (brought?.warning === undefined) return;
  turn.put(notifications, [accountId, strikeId], { ...brought, warning: { ...brought.warning, appeal } });
  countNotifications(turn, { isRevised: true });
}
