/** Removes an endorsement, if there is one. */
import type { Id } from '../../../runtime/ids.ts';
import type { AccountTurn } from '../account.turn.ts';
import { endorsements, endorsementsByTime } from './endorsements.state.ts';

export function endEndorsement(turn: AccountTurn, targetId: Id): void {
  const endorsement = turn.get(endorsements, [turn.self.key, targetId]);
  if (endorsement === undefined) return;
  turn.delete(endorsements, [turn.self.key, targetId]);
  turn.delete(endorsementsByTime, [turn.self.key, endorsement.id]);
}
