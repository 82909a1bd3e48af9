/** Removes a status of another server, or a reblog of it, that nobody here uses. It may come back, under the same id. */
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { factsOf } from './status-facts.ts';
import { statusForgotten } from './statuses.events.ts';
import type { Status } from './statuses.records.ts';
import { removeStatus } from './store-status.ts';
import { tellParent } from './withdraw-status.ts';

/**
 * Streams and homes in other partitions are not told: its author has not deleted it. Its id stays reserved until the last
 * entry about it is removed.
 */
export function forget(turn: AccountTurn, status: Status): void {
  const facts = factsOf(status);
  removeStatus(turn, status, facts);
  turn.emit(statusForgotten, facts);
  const toParent = tellParent(turn, status);
  if (toParent !== undefined) turn.tell(toParent);
  turn.tell(Account.sweepStatus.to(turn.self.key, { statusId: status.id, isForgotten: true }));
}
