/** Reads of sessions. Secrets are passed in clear and looked up by their digest. */
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { applicationKey, browserKey, type Dialect, digestOfSecret, tokenKey, userKey } from './session.messages.ts';
import {
  type Application,
  activity,
  applications,
  type BrowserSession,
  browserSessions,
  browserSessionsOfUser,
  type Token,
  tokens,
  tokensOfUser,
} from './session.state.ts';

/** The rights of a token. */
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

/** In days since 1970. Undefined for who never was. */
export function lastActiveDay(reader: Reader, accountId: Id): number | undefined {
  return reader.get(activity, [userKey(accountId)]);
}

/** The application that a token was issued to. */
export function applicationOfToken(reader: Reader, tokenId: string): RegisteredApplication | undefined {
  const token = tokenOfId(reader, tokenId);
  return token === undefined ? undefined : applicationOfClient(reader, token.clientId);
}

/** The application that a status was written with, as the status names it. */
export function findApplication(
  reader: Reader,
  grant: { readonly tokenId: string },
): { name: string; website?: string | undefined } | undefined {
  const application = applicationOfToken(reader, grant.tokenId);
  return application === undefined ? undefined : { name: application.name, website: application.website };
}

/** A token in the list of its account. */
export interface ListedToken {
  /** Its position in the list: not a secret, and unique to the account. */
  readonly id: Id;
  readonly tokenId: string;
  readonly token: Token;
  readonly application: RegisteredApplication | undefined;
}

/** Newest first. */
export function tokensOfAccount(reader: Reader, accountId: Id): ListedToken[] {
  const listed: ListedToken[] = [];
  for (const { key, value } of reader.range(tokensOfUser, [userKey(accountId)], { reverse: true })) {
    const token = tokenOfId(reader, value.tokenId);
    if (token === undefined) continue;
    listed.push({ ...value, id: key[1], token, application: applicationOfClient(reader, token.clientId) });
  }
  return listed;
}

export interface OpenBrowserSession {
  readonly accountId: Id;
  readonly passwordMark: string;
  /** Days since 1970. */
  readonly lastUsedDay: number;
}

/** The session of a cookie, unless it has expired at `now` (milliseconds since 1970). */
export function browserSessionOf(reader: Reader, secret: string, now: number): OpenBrowserSession | undefined {
  return openSessionOf(reader, digestOfSecret(secret), now);
}

/** The same by the digest of its secret. */
export function openSessionOf(reader: Reader, sessionId: string, now: number) {
  const session = reader.get(browserSessions, [browserKey(sessionId)]);
  if (session?.openedAt === undefined || session.expiresAt <= now) return undefined;
  return { ...session, openedAt: session.openedAt };
}

/** A browser session in the list of its account. */
export interface ListedBrowserSession {
  /** Its position in the list. */
  readonly id: Id;
  readonly sessionId: string;
  readonly session: BrowserSession & { readonly openedAt: number };
}

/** Newest first. Includes sessions opened with a former password: `passwordMark` tells. */
export function browserSessionsOfAccount(reader: Reader, accountId: Id, now: number): ListedBrowserSession[] {
  const listed: ListedBrowserSession[] = [];
  for (const { key, value } of reader.range(browserSessionsOfUser, [userKey(accountId)], { reverse: true })) {
    const session = openSessionOf(reader, value.sessionId, now);
    if (session !== undefined) listed.push({ ...value, id: key[1], session });
  }
  return listed;
}
