/** Codes of an authenticator app, and recovery codes. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { recordAudit } from '../../audit.state.ts';
import type { AccountTurn } from '../account.turn.ts';
import { sendMail } from '../mail/send-mail.ts';
import { ownLogin, ownProfile } from '../profile/profile.turn.ts';
import { twoFactorLimits } from './limits.ts';
import type { twoFactorMessages } from './two-factor.messages.ts';
import { twoFactors } from './two-factor.state.ts';
import { forgetTwoFactor } from './two-factor.turn.ts';
import { used } from './use-code.ts';

export function enableTotp(
  turn: AccountTurn,
  { sealed, step, recoveryCodes, code }: BodyOf<typeof twoFactorMessages.enableTotp>,
): undefined {
  ownLogin(turn);
  const before = used(turn, code);
  if (before?.totp !== undefined) throw new Failure('conflict');
  turn.put(twoFactors, [turn.self.key], {
    ...before,
    totp: { sealed, lastStep: step, since: turn.now },
    recoveryCodes: [...recoveryCodes],
  });
  sendMail(turn, { kind: 'secured', change: 'twoFactorEnabled' });
}

export function useTwoFactorCode(
  turn: AccountTurn,
  { code }: BodyOf<typeof twoFactorMessages.useTwoFactorCode>,
): undefined {
  const after = used(turn, code);
  if (after !== undefined) turn.put(twoFactors, [turn.self.key], after);
}

export function renewRecoveryCodes(
  turn: AccountTurn,
  { code, recoveryCodes }: BodyOf<typeof twoFactorMessages.renewRecoveryCodes>,
): undefined {
  const after = used(turn, code);
  if (after === undefined) return;
  turn.put(twoFactors, [turn.self.key], { ...after, recoveryCodes: [...recoveryCodes] });
  sendMail(turn, { kind: 'secured', change: 'recoveryCodesReplaced' });
}

export function disableTwoFactor(
  turn: AccountTurn,
  { code, audit }: BodyOf<typeof twoFactorMessages.disableTwoFactor>,
): undefined {
  const { key: accountId } = turn.self;
  if (audit === undefined) used(turn, code);
  recordAudit(turn, audit, { targetId: accountId, name: ownProfile(turn).username });
  if (turn.get(twoFactors, [accountId]) === undefined) return;
  forgetTwoFactor(turn);
  sendMail(turn, { kind: 'secured', change: 'twoFactorDisabled' });
}

export function twoFactorFailed(turn: AccountTurn): undefined {
  const before = turn.get(twoFactors, [turn.self.key]);
  if (before === undefined) return;
  const { toldOfFailureAt = 0 } = before;
  if (turn.now - toldOfFailureAt < twoFactorLimits.toldOfFailuresEveryMilliseconds) return;
  turn.put(twoFactors, [turn.self.key], { ...before, toldOfFailureAt: turn.now });
  sendMail(turn, { kind: 'secured', change: 'secondFactorFailed' });
}
