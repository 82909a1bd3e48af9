/** Stores and removes the pin of a status. */
import type { Id } from '../../../runtime/ids.ts';
import type { AccountTurn } from '../account.turn.ts';
import { pinOf, pins } from './pins.state.ts';

export function addPin(turn: AccountTurn, statusId: Id): void {
  const pinId = turn.nextId();
  turn.put(pins, [turn.self.key, pinId], { id: statusId });
  turn.put(pinOf, [turn.self.key, statusId], { id: pinId });
}

/** False where it was not pinned. */
export function removePin(turn: AccountTurn, statusId: Id): boolean {
  const kept = turn.get(pinOf, [turn.self.key, statusId]);
  if (kept === undefined) return false;
  turn.delete(pins, [turn.self.key, kept.id]);
  turn.delete(pinOf, [turn.self.key, statusId]);
  return true;
}
