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
 * The logins that an endpoint admits: active ones; also those whose address is not confirmed; or, where it is open to
 * anybody, also those that wait for confirmation or approval, as if there were no account.
 */
export type Admission = 'active' | 'unconfirmed' | 'waiting';

/** Who sends the token. */
export interface Client {
  readonly ip: string;
}

/**
 * Finds the grant of a token: undefined when there is none (the answer is 401). Throws a Failure for the login states
 * (disabled, unconfirmed, pending) and for a revoked token, unless the endpoint admits the login.
 * Synchronous where the grant is cached.
 */
export type Authenticate = (
  token: string,
  client: Client,
  admits?: Admission,
) => Grant | undefined | Promise<Grant | undefined>;
