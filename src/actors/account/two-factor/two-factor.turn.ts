/** What turns of other features do with the two-factor authentication of their account. */
import { loginChanged } from '../../session/session.events.ts';
import type { AccountTurn } from '../account.turn.ts';
import { passkeys, twoFactors } from './two-factor.state.ts';

/** Its grants are looked at again: a role may need it. */
export function forgetTwoFactor(turn: AccountTurn): void {
  turn.delete(twoFactors, [turn.self.key]);
  for (const { key } of [...turn.range(passkeys, [turn.self.key])]) turn.delete(passkeys, key);
  turn.emit(loginChanged, { accountId: turn.self.key });
}
