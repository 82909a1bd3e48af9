/** What a handler sees of its request: the context of an endpoint, and that of a raw route. */
import type { Grant, UserGrant } from './grant.ts';
import type { RateLimitClass } from './rate-limits.ts';
import type { IncomingRequest } from './request.ts';

export interface RequestContext<Services, Token> {
  readonly request: IncomingRequest;
  readonly grant: Token;
  readonly services: Services;
  /** Throws Failure tooManyRequests when nothing is left of a limit that counts successes. */
  checkLimit(name: RateLimitClass): void;
  /** Counts a success. */
  countLimit(name: RateLimitClass): void;
}

/** Of an endpoint with authentication `none`: a valid token, or none at all. */
export type OpenContext<Services> = RequestContext<Services, Grant | undefined>;
/** Of an endpoint with authentication `app`. */
export type AppContext<Services> = RequestContext<Services, Grant>;
/** Of an endpoint with authentication `user`. */
export type UserContext<Services> = RequestContext<Services, UserGrant>;

export interface RawContext<Services> {
  readonly request: IncomingRequest;
  readonly services: Services;
  /** Values of the path's names, decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** The exact bytes received; empty where there is no body. */
  readonly body: Buffer;
}
