/**
 * Who asks for an operation. The face makes the caller: from an access token, the session of a browser, the admin
 * socket, or a timer that acts for an account.
 */
import type { Id } from '../runtime/ids.ts';
import { flowOfAccount } from '../services/services.ts';
import { type CallerLimits, unlimited } from './rate-limits.ts';

/** A local account that may sign in: the face has checked its token or session, and `onBehalfOf` checks the login. */
export interface AccountCaller {
  readonly kind: 'account';
  readonly accountId: Id;
  readonly limits: CallerLimits;
}

/** Somebody who is not signed in, or an application of its own. */
export interface VisitorCaller {
  readonly kind: 'visitor';
  readonly accountId: undefined;
  readonly limits: CallerLimits;
}

/** Whoever has access to the machine, and the server itself. */
export interface OperatorCaller {
  readonly kind: 'operator';
  readonly accountId: undefined;
  readonly limits: CallerLimits;
}

export type Caller = AccountCaller | VisitorCaller | OperatorCaller;

export const operator: OperatorCaller = { kind: 'operator', accountId: undefined, limits: unlimited };

/** The flow in which actors are called for a caller. */
export function flowOf({ accountId }: Caller): string {
  return accountId === undefined ? 'system' : flowOfAccount(accountId);
}
