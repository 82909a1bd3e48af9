/** The rights of a valid access token. Read by session queries, and cached by gateways. */
export interface Grant {
  readonly tokenId: string;
  /** Absent for a token of an application itself (client credentials). */
  readonly accountId: bigint | undefined;
  readonly applicationId: bigint;
  readonly scopes: ReadonlySet<string>;
  readonly dialect: 'specification' | 'mastodon';
  /** Whether the account has moved: then only what needs no user is open to it. */
  readonly hasMoved?: boolean;
}

export interface UserGrant extends Grant {
  readonly accountId: bigint;
}

/**
 * Finds the grant of a token: undefined when there is none (the answer is 401). Throws a Failure for the login states
 * (disabled, unconfirmed, pending) and for a revoked token; an endpoint may accept users whose address is unconfirmed.
 * Synchronous where the grant is cached.
 */
export type Authenticate = (
  token: string,
  admitsUnconfirmed?: boolean,
) => Grant | undefined | Promise<Grant | undefined>;
