/** Finds what a code is that somebody gives: of the authenticator app, or a recovery code. */

import { twoFactorOf } from '../../actors/account/two-factor/two-factor.queries.ts';
import type { UsedCode } from '../../actors/account/two-factor/two-factor.records.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { digestOfRecoveryCode } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

/** Undefined for a wrong one. Attempts must have been counted: there are only a million codes. */
export async function findCode(services: Services, accountId: Id, given: string): Promise<UsedCode | undefined> {
  const twoFactor = twoFactorOf(services.snapshots, accountId);
  if (twoFactor === undefined) return undefined;
  const typed = given.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(typed)) {
    const step = twoFactor.totp && (await stepOfCode(services, accountId, twoFactor.totp.sealed, typed));
    return step === undefined ? undefined : { kind: 'totp', step };
  }
  const digest = digestOfRecoveryCode(accountId, typed);
  return twoFactor.recoveryCodes.includes(digest) ? { kind: 'recovery', digest } : undefined;
}

/** For the call that uses a code up: one that was used before is wrong. */
export function usedBefore(error: unknown): never {
  throw error instanceof Failure && error.code === 'forbidden' ? new Failure('codeInvalid') : error;
}
