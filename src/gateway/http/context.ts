/** The context that a handler gets: that of an endpoint, and that of a raw route. */
import type { AccountCaller, VisitorCaller } from '../../operations/caller.ts';
import type { CallerLimits } from '../../operations/rate-limits.ts';
import type { Grant, UserGrant } from './grant.ts';
import type { ParameterTree } from './parameters/tree.ts';
import type { IncomingRequest } from './request.ts';

/** Operations can be called with it: it contains the caller and the services. */
export interface RequestContext<Services, Token, Who = AccountCaller | VisitorCaller> {
  readonly request: IncomingRequest;
  readonly grant: Token;
  readonly caller: Who;
  readonly services: Services;
}

/** For an endpoint with authentication `optional`: a valid token, or none. */
export type OpenContext<Services> = RequestContext<Services, Grant | undefined>;
/** For an endpoint with authentication `app`. */
export type AppContext<Services> = RequestContext<Services, Grant>;
/** For an endpoint with authentication `user`. */
export type UserContext<Services> = RequestContext<Services, UserGrant, AccountCaller>;

export interface RawContext<Services> {
  readonly request: IncomingRequest;
  readonly services: Services;
  /** Decoded values of the names in the path. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** The exact bytes received; empty without a body, and for an upload. */
  readonly body: Buffer;
  /** The parameters and files of an upload, which is a multipart form of a route that takes files. */
  readonly form?: ParameterTree;
  /** Of what the request causes, where it is traced. */
  readonly cause: string | undefined;
  /** Rate limits counted for an account; by address where there is none. */
  limitsOf(accountId: bigint | undefined): RequestLimits;
}

/** Counts this request, also against the limit on all requests. */
export interface RequestLimits extends CallerLimits {
  takeRequest(): void;
}
