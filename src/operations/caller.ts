/**
 * Who asks for an operation. The gateway makes the caller from an access token, a browser session, the admin socket, or
 * a timer that acts for an account.
 */
import type { AuditMoments } from '../actors/audit.records.ts';
import type { Flow } from '../runtime/flow.ts';
import type { Id } from '../runtime/ids.ts';
import { flowOfAccount, flowOfVisitors } from '../services/services.ts';
import type { Asker } from '../services/time-slices.ts';
import { type CallerLimits, unlimited } from './rate-limits.ts';

interface Asking {
  readonly limits: CallerLimits;
  /** Of what the request causes, where it is traced. */
  readonly cause?: string | undefined;
  /** The request, whose client may leave. Absent where somebody always waits. */
  readonly asker?: Asker;
  /** The IP address of a request. */
  readonly address?: (() => string) | undefined;
  /** How far the audit log had come when what the caller decides about was shown (a page). */
  readonly known?: AuditMoments | undefined;
  /** Set by `operation`, which then waits for the other gateways: a call has invalidated what threads cache. */
  readonly invalidated?: (() => void) | undefined;
}

/** A local account that may sign in: the gateway has checked its token or session; `onBehalfOf` checks the login. */
export interface AccountCaller extends Asking {
  readonly kind: 'account';
  readonly accountId: Id;
}

/** Not signed in, or an application acting for itself. */
export interface VisitorCaller extends Asking {
  readonly kind: 'visitor';
  readonly accountId: undefined;
}

/** The operator on the command line, and the server itself. */
export interface OperatorCaller extends Asking {
  readonly kind: 'operator';
  readonly accountId: undefined;
}

export type Caller = AccountCaller | VisitorCaller | OperatorCaller;

export const operator: OperatorCaller = { kind: 'operator', accountId: undefined, limits: unlimited };

/** The flow in which actors are called for a caller. */
export function flowOf(caller: Caller): Flow {
  const { cause, invalidated } = caller;
  const flow = nameOfFlow(caller);
  return cause === undefined && invalidated === undefined ? flow : { flow, cause, invalidated };
}

function nameOfFlow(caller: Caller): string {
  if (caller.kind === 'account') return flowOfAccount(caller.accountId);
  return caller.kind === 'visitor' ? flowOfVisitors : 'system';
}
