/** What turns of other features do with the two-factor authentication of their account. */
import type { AccountTurn } from '../account.turn.ts';
import { passkeys, twoFactors } from './two-factor.state.ts';

/** For an account to which nobody signs in any more. */
export function forgetTwoFactor(turn: AccountTurn): void {
  turn.delete(twoFactors, [turn.self.key]);
  for (const { key } of [...turn.range(passkeys, [turn.self.key])]) turn.delete(passkeys, key);
}
