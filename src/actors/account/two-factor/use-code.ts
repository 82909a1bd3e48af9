/** Uses a code up in the turn that it admits, so that nothing takes it twice. */
import { Failure } from '../../../runtime/errors.ts';
import { dayOf } from '../../session/session.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { twoFactorLimits } from './limits.ts';
import type { TwoFactor, UsedCode } from './two-factor.records.ts';
import { passkeys, twoFactors } from './two-factor.state.ts';

type UsedPasskey = Extract<UsedCode, { kind: 'passkey' }>;

/**
 * What the account has without the code; undefined where it has nothing and none is given. Throws Failure forbidden for a
 * code that does not hold any more, and where one is missing.
 */
export function used(turn: AccountTurn, code: UsedCode | undefined): TwoFactor | undefined {
  const before = turn.get(twoFactors, [turn.self.key]);
  if (before === undefined && code === undefined) return undefined;
  const after = before && code && without(turn, before, code);
  if (after === undefined) throw new Failure('forbidden');
  return after;
}

function without(turn: AccountTurn, before: TwoFactor, code: UsedCode): TwoFactor | undefined {
  switch (code.kind) {
    case 'recovery': {
      const recoveryCodes = before.recoveryCodes.filter((one) => one !== code.digest);
      return recoveryCodes.length < before.recoveryCodes.length ? { ...before, recoveryCodes } : undefined;
    }
    case 'totp':
      if (before.totp === undefined || code.step <= before.totp.lastStep) return undefined;
      return { ...before, totp: { ...before.totp, lastStep: code.step } };
    case 'passkey':
      return withoutChallenge(turn, before, code);
  }
}

/** A key that has counted further elsewhere was copied. */
function withoutChallenge(turn: AccountTurn, before: TwoFactor, used: UsedPasskey): TwoFactor | undefined {
  const { passkeyId, counter, isBackedUp, challenge: digest, end } = used;
  const passkey = turn.get(passkeys, [turn.self.key, passkeyId]);
  const known = (before.usedChallenges ?? []).filter((one) => one.end > turn.now);
  const isUsed = known.some((one) => one.digest === digest) || end <= turn.now;
  if (passkey === undefined || isUsed || known.length >= twoFactorLimits.usedChallengesMax) return undefined;
  if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter) return undefined;
  const changed = { ...passkey, counter, isBackedUp, lastUsedDay: dayOf(turn.now) };
  turn.put(passkeys, [turn.self.key, passkeyId], changed);
  return { ...before, usedChallenges: [...known, { digest, end }] };
}
