/** What a handler sees of its request: the context of an endpoint, and that of a raw route. */
import type { AccountCaller, VisitorCaller } from '../../operations/caller.ts';
import type { CallerLimits } from '../../operations/rate-limits.ts';
import type { Grant, UserGrant } from './grant.ts';
import type { IncomingRequest } from './request.ts';

/** An operation can be called with it: it tells who asks, and has the services. */
export interface RequestContext<Services, Token, Who = AccountCaller | VisitorCaller> {
  readonly request: IncomingRequest;
  readonly grant: Token;
  readonly caller: Who;
  readonly services: Services;
}

/** Of an endpoint with authentication `optional`: a valid token, or none. */
export type OpenContext<Services> = RequestContext<Services, Grant | undefined>;
/** Of an endpoint with authentication `app`. */
export type AppContext<Services> = RequestContext<Services, Grant>;
/** Of an endpoint with authentication `user`. */
export type UserContext<Services> = RequestContext<Services, UserGrant, AccountCaller>;

export interface RawContext<Services> {
  readonly request: IncomingRequest;
  readonly services: Services;
  /** Values of the path's names, decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** The exact bytes received; empty where there is no body. */
  readonly body: Buffer;
  /** Rate limits as they are counted for an account; by address where there is none. */
  limitsOf(accountId: bigint | undefined): RequestLimits;
}

/** Counts this request, also against the limit of all requests. */
export interface RequestLimits extends CallerLimits {
  takeRequest(): void;
}
