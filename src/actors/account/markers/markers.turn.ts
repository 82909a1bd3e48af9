/** What turns of other features do with the markers of their account. */
import type { AccountTurn } from '../account.turn.ts';
import { markers } from './markers.state.ts';

export function forgetMarkers(turn: AccountTurn): void {
  turn.delete(markers, [turn.self.key]);
}
