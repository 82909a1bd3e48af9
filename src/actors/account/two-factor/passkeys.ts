/** Passkeys: added, named, and removed by their owner. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { AccountTurn } from '../account.turn.ts';
import { sendMail } from '../mail/send-mail.ts';
import { ownLogin } from '../profile/profile.turn.ts';
import { twoFactorLimits } from './limits.ts';
import type { twoFactorMessages } from './two-factor.messages.ts';
import { passkeys, twoFactors } from './two-factor.state.ts';
import { forgetTwoFactor } from './two-factor.turn.ts';
import { used } from './use-code.ts';

const { passkeysMax } = twoFactorLimits;

export function addPasskey(
  turn: AccountTurn,
  { passkey, recoveryCodes, code }: BodyOf<typeof twoFactorMessages.addPasskey>,
): { isFirst: boolean } {
  const { key: accountId } = turn.self;
  ownLogin(turn);
  const before = used(turn, code);
  const known = [...turn.range(passkeys, [accountId])];
  if (known.some(({ value }) => value.credentialId === passkey.credentialId)) throw new Failure('conflict');
  if (known.length >= passkeysMax) {
    const limit = passkeysMax;
    throw validationFailure(`You cannot have more than ${limit} passkeys`, { reason: 'tooManyPasskeys', limit });
  }
  turn.put(passkeys, [accountId, turn.nextId()], { ...passkey, createdAt: turn.now, lastUsedDay: 0 });
  turn.put(twoFactors, [accountId], before ?? { recoveryCodes: [...recoveryCodes] });
  sendMail(turn, { kind: 'secured', change: 'passkeyAdded', name: passkey.name });
  return { isFirst: before === undefined };
}

export function renamePasskey(
  turn: AccountTurn,
  { passkeyId, name }: BodyOf<typeof twoFactorMessages.renamePasskey>,
): undefined {
  const before = turn.get(passkeys, [turn.self.key, passkeyId]);
  if (before === undefined) throw new Failure('notFound');
  turn.put(passkeys, [turn.self.key, passkeyId], { ...before, name });
}

export function removePasskey(
  turn: AccountTurn,
  { passkeyId, code }: BodyOf<typeof twoFactorMessages.removePasskey>,
): undefined {
  const { key: accountId } = turn.self;
  const before = turn.get(passkeys, [accountId, passkeyId]);
  if (before === undefined) throw new Failure('notFound');
  const after = used(turn, code);
  turn.delete(passkeys, [accountId, passkeyId]);
  sendMail(turn, { kind: 'secured', change: 'passkeyRemoved', name: before.name });
  const isLast = [...turn.range(passkeys, [accountId])].length === 0;
  if (after !== undefined && (after.totp !== undefined || !isLast)) turn.put(twoFactors, [accountId], after);
  else {
    forgetTwoFactor(turn);
    sendMail(turn, { kind: 'secured', change: 'twoFactorDisabled' });
  }
}
