/** Notifies staff of a sign-up. */
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';

export function notifyOfSignUp(turn: AccountTurn, staffIds: readonly Id[] = []): void {
  for (const staffId of staffIds)
    turn.tell(Account.notify.to(staffId, { type: 'admin.sign_up', fromId: turn.self.key }));
}
