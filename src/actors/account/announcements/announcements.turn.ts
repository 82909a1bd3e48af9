/** What turns of other features do with the announcements that their account has dismissed. */
import type { AccountTurn } from '../account.turn.ts';
import { dismissedAnnouncements } from './announcements.state.ts';

export function forgetDismissed(turn: AccountTurn): void {
  for (const { key } of [...turn.range(dismissedAnnouncements, [turn.self.key])])
    turn.delete(dismissedAnnouncements, key);
}
