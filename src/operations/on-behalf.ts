/**
 * Runs an operation for an account without a request of it: for a timer, an import, a page that stays open. No token or
 * session was checked, so the login is.
 */
import { findLocalAccount, loginStateOf } from '../actors/account/profile/logins.queries.ts';
import { Failure } from '../runtime/errors.ts';
import type { Id } from '../runtime/ids.ts';
import type { Services } from '../services/services.ts';
import type { AccountCaller } from './caller.ts';
import type { OperationContext } from './operation.ts';
import { unlimited } from './rate-limits.ts';
import { demandActive } from './registration/sign-in.ts';

/**
 * Make a new one for each operation: the login may be disabled meanwhile. Throws Failure forbidden for any but a local
 * account, and loginDisabled, loginUnconfirmed or loginPending. `cause` is the traced request that began the work.
 */
export function onBehalfOf(services: Services, accountId: Id, cause?: string): OperationContext<AccountCaller> {
  const account = findLocalAccount(services.snapshots, accountId);
  if (account === undefined) throw new Failure('forbidden');
  demandActive(loginStateOf(account));
  return { caller: { kind: 'account', accountId, limits: unlimited, cause }, services };
}
