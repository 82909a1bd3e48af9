/**
 * Who asks for an operation. The face makes the caller: from an access token, the session of a browser, the admin
 * socket, or a timer that acts for an account.
 */
import type { Flow } from '../runtime/flow.ts';
import type { Id } from '../runtime/ids.ts';
import { flowOfAccount } from '../services/services.ts';
import { type CallerLimits, unlimited } from './rate-limits.ts';

interface Asking {
  readonly limits: CallerLimits;
  /** The id of the request, where requests are traced. */
  readonly cause?: string | undefined;
}

/** A local account that may sign in: the face has checked its token or session, and `onBehalfOf` checks the login. */
export interface AccountCaller extends Asking {
  readonly kind: 'account';
  readonly accountId: Id;
}

/** Somebody who is not signed in, or an application of its own. */
export interface VisitorCaller extends Asking {
  readonly kind: 'visitor';
  readonly accountId: undefined;
}

/** Whoever has access to the machine, and the server itself. */
export interface OperatorCaller extends Asking {
  readonly kind: 'operator';
  readonly accountId: undefined;
}

export type Caller = AccountCaller | VisitorCaller | OperatorCaller;

export const operator: OperatorCaller = { kind: 'operator', accountId: undefined, limits: unlimited };

/** The flow in which actors are called for a caller. */
export function flowOf({ accountId, cause }: Caller): Flow {
  const flow = accountId === undefined ? 'system' : flowOfAccount(accountId);
  return cause === undefined ? flow : { flow, cause };
}
