/** Reads of sessions. Secrets come in clear and are looked up by their digest. */
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { applicationKey, browserKey, type Dialect, digestOfSecret, tokenKey } from './session.messages.ts';
import { type Application, applications, browserSessions, type Token, tokens } from './session.state.ts';

/** What a token stands for. */
export interface TokenGrant {
  readonly tokenId: string;
  readonly accountId: Id | undefined;
  readonly applicationId: Id;
  readonly scopes: ReadonlySet<string>;
  readonly dialect: Dialect;
}

export interface StoredGrant {
  readonly grant: TokenGrant;
  /** Days since 1970. */
  readonly lastUsedDay: number;
}

export type RegisteredApplication = Application;

export function grantOfToken(reader: Reader, token: string): StoredGrant | undefined {
  const tokenId = digestOfSecret(token);
  const stored = reader.get(tokens, [tokenKey(tokenId)]);
  if (stored === undefined) return undefined;
  const { accountId, applicationId, scopes, dialect, lastUsedDay } = stored;
  return { grant: { tokenId, accountId, applicationId, scopes: new Set(scopes), dialect }, lastUsedDay };
}

export function tokenOfId(reader: Reader, tokenId: string): Token | undefined {
  return reader.get(tokens, [tokenKey(tokenId)]);
}

export function applicationOfClient(reader: Reader, clientId: string): RegisteredApplication | undefined {
  return reader.get(applications, [applicationKey(clientId)]);
}

/** The application that a token was issued to. */
export function applicationOfToken(reader: Reader, tokenId: string): RegisteredApplication | undefined {
  const token = tokenOfId(reader, tokenId);
  return token === undefined ? undefined : applicationOfClient(reader, token.clientId);
}

/** How a status names the application it was written with. */
export function findApplication(
  reader: Reader,
  grant: { readonly tokenId: string },
): { name: string; website?: string | undefined } | undefined {
  const application = applicationOfToken(reader, grant.tokenId);
  return application === undefined ? undefined : { name: application.name, website: application.website };
}

export interface OpenBrowserSession {
  readonly accountId: Id;
  readonly passwordMark: string;
}

/** The session of a cookie, unless it has expired at `now` (milliseconds since 1970). */
export function browserSessionOf(reader: Reader, secret: string, now: number): OpenBrowserSession | undefined {
  const session = reader.get(browserSessions, [browserKey(digestOfSecret(secret))]);
  return session === undefined || session.expiresAt <= now ? undefined : session;
}
