/** A new password for whoever has the account's mail. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownMail, putMail } from '../mail/mail.turn.ts';
import { sendMail } from '../mail/send-mail.ts';
import { logins, profiles } from '../profile/profile.state.ts';
import { changeLogin } from './lifecycle.ts';
import type { localMessages } from './local.messages.ts';

const hour = 60 * 60 * 1_000;
const validMilliseconds = 6 * hour;
/** A request that is valid for longer is told again, so that the links of all mails hold. */
const renewedBeforeEndMilliseconds = 5 * hour;

export function requestPasswordReset(turn: AccountTurn): undefined {
  const { key } = turn.self;
  const login = turn.get(logins, [key]);
  if (login === undefined || login.disabled || turn.get(profiles, [key])?.suspendedAt !== undefined) return;
  const before = ownMail(turn);
  const known = before.reset !== undefined && isFresh(before.reset, turn.now) ? before.reset : undefined;
  const reset = known ?? { requestId: turn.nextId(), expiresAt: turn.now + validMilliseconds };
  if (known === undefined) putMail(turn, { ...before, reset });
  sendMail(turn, { kind: 'passwordReset', requestId: reset.requestId });
}

function isFresh({ expiresAt }: { readonly expiresAt: number }, now: number): boolean {
  return expiresAt - now > renewedBeforeEndMilliseconds;
}

/** The login changes as by any other new password, which ends the request. */
export function resetPassword(
  turn: AccountTurn,
  { requestId, passwordHash }: BodyOf<typeof localMessages.resetPassword>,
): undefined {
  const { reset } = ownMail(turn);
  if (reset?.requestId !== requestId || reset.expiresAt < turn.now) throw new Failure('forbidden');
  changeLogin(turn, { passwordHash });
}
