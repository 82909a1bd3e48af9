/** What every attempt to sign in comes with, and what is kept of those that fail. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import type { SignInSource } from '../../actors/account/sign-ins/sign-ins.records.ts';
import { isTemporary } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { deviceKey, type KnownDevice, knownDevice } from '../../services/known-devices.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import type { OperationContext } from '../operation.ts';
import { sourceOf } from './sign-in-source.ts';

export const Attempt = z.object({
  /** The secret of the browser; absent for programs, which get no second step. */
  browser: z.string().optional(),
  /** The marks that the browser has of accounts that signed in there before. */
  devices: z.string().optional(),
  userAgent: z.string().optional(),
});

export async function deviceOf(
  services: Services,
  accountId: Id,
  devices: string | undefined,
): Promise<KnownDevice | undefined> {
  return knownDevice(deviceKey(await secretsOf(services)), accountId, devices);
}

/** Not waited for: how long the answer takes must not tell whether there is such an account. */
export function noteFailure(
  context: OperationContext,
  accountId: Id,
  way: SignInSource['way'],
  userAgent: string | undefined,
): void {
  const { caller, services } = context;
  const source = sourceOf(context, way, userAgent);
  if (source === undefined) return;
  services.client
    .call(Account.signedIn.to(accountId, { ...source, succeeded: false }), flowOf(caller))
    .catch((error: unknown) => {
      if (!isTemporary(error))
        services.report({ level: 'warn', message: 'a sign-in that failed could not be recorded', error });
    });
}
