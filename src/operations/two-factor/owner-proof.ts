/**
 * That it is the owner who changes how an account is protected, and not whoever found its browser open: the password, and a
 * code or a passkey where two-factor authentication is on.
 */
import { z } from 'zod';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { twoFactorOf } from '../../actors/account/two-factor/two-factor.queries.ts';
import type { UsedCode } from '../../actors/account/two-factor/two-factor.records.ts';
import { Failure } from '../../runtime/errors.ts';
import type { AccountCaller } from '../caller.ts';
import type { OperationContext } from '../operation.ts';
import { isPasswordOf } from '../registration/passwords.ts';
import { findCode } from './codes.ts';
import { readProof } from './passkeys.ts';

export const OwnerProof = z.object({
  password: z.string(),
  /** Of the app, or a recovery code. */
  code: z.string().default(''),
  /** In its place: what a passkey has signed for this purpose in this browser. */
  passkey: z.string().optional(),
  /** The secret of the browser. */
  browser: z.string().default(''),
});

/** Attempts are counted by account. Throws Failure credentialsInvalid. */
export async function demandOwnPassword(
  { caller, services }: OperationContext<AccountCaller>,
  password: string,
): Promise<void> {
  caller.limits.take('ownPassword');
  const login = findLogin(services.snapshots, caller.accountId);
  if (!(await isPasswordOf(password, login?.passwordHash))) throw new Failure('credentialsInvalid');
}

/**
 * The code, for the message that uses it up; undefined where two-factor authentication is off. Throws Failure
 * credentialsInvalid and codeInvalid.
 */
export async function demandOwner(
  context: OperationContext<AccountCaller>,
  proof: z.output<typeof OwnerProof>,
): Promise<UsedCode | undefined> {
  const { caller, services } = context;
  await demandOwnPassword(context, proof.password);
  if (twoFactorOf(services.snapshots, caller.accountId) === undefined) return undefined;
  return demandOwnCode(context, proof);
}

/** Throws Failure codeInvalid. */
export async function demandOwnCode(
  { caller, services }: OperationContext<AccountCaller>,
  { code, passkey, browser }: z.output<typeof OwnerProof>,
): Promise<UsedCode> {
  const { accountId } = caller;
  // Whoever signs in elsewhere has other attempts: an open browser in wrong hands locks nobody out.
  caller.limits.takeFor('twoFactor', `own ${accountId}`);
  const found =
    passkey === undefined
      ? await findCode(services, accountId, code)
      : (await readProof(services, { purpose: 'owner', browser, accountId }, passkey))?.code;
  if (found === undefined) throw new Failure('codeInvalid');
  return found;
}
