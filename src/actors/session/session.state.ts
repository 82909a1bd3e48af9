/**
 * The keyspaces of sessions. Each is keyed by the whole key of its actor (session.messages.ts): a digest or a public
 * name.
 */
import { z } from 'zod';
import { packed, record } from '../../runtime/codec.ts';

import { hashedString, id, keyspace } from '../../runtime/storage/keyspace.ts';
import type { ServerReader } from '../../runtime/storage/reader.ts';
import { agreement, awaits, isKey, type Rule, rule } from '../../runtime/storage/rules.ts';
import { identifier } from '../account/account.records.ts';
import { sessionLimits } from './limits.ts';
import {
  applicationKey,
  browserKey,
  DialectIsFixed,
  RegisteredApplication,
  Session,
  TokenRights,
  tokenKey,
  UsedFrom,
  userKey,
} from './session.messages.ts';

const owner = 'session';

export const Application = z.object({
  id: identifier,
  ...RegisteredApplication.shape,
  createdAt: z.number(),
  /** Whether anybody ever got a token through it; until then it expires. */
  used: z.boolean(),
  isDialectFixed: DialectIsFixed,
});
export type Application = z.infer<typeof Application>;

export const applications = keyspace<[string], Application>({
  number: 90,
  name: 'applications',
  owner,
  key: [hashedString('session')],
  value: record(Application),
  bound: {
    by: 'owner',
    reason: 'forgotten after a day without a token; the rate limit of registrations bounds the rest',
  },
});

export const Code = TokenRights.extend({
  accountId: identifier,
  redirectUri: z.string(),
  challenge: z.string().optional(),
  expiresAt: z.number(),
  /** The token issued for it. The code is kept until it expires, so that a second use is noticed. */
  tokenId: z.string().optional(),
});
export type Code = z.infer<typeof Code>;

export const codes = keyspace<[string], Code>({
  number: 91,
  name: 'authorization codes',
  owner,
  key: [hashedString('session')],
  value: record(Code),
  bound: { by: 'age', milliseconds: sessionLimits.codeMilliseconds },
});

export const Token = TokenRights.extend({
  createdAt: z.number(),
  lastUsedDay: z.number(),
  /** From where it was last used, as once a day is looked. */
  usedFrom: UsedFrom.optional(),
});
export type Token = z.infer<typeof Token>;

export const tokens = keyspace<[string], Token>({
  number: 92,
  name: 'tokens',
  owner,
  key: [hashedString('session')],
  value: record(Token),
  bound: { by: 'owner', reason: 'until it is revoked; those of one account, or application, are counted' },
});

export const BrowserSession = z.object({
  accountId: identifier,
  /** Tells whether the password has changed since the session was opened. */
  passwordMark: z.string(),
  expiresAt: z.number(),
  /** A description of the browser for its user; empty when unknown. */
  browser: z.string().default(''),
  /** Absent in sessions that are in no list: they count as expired. */
  openedAt: z.number().optional(),
  /** Days since 1970. */
  lastUsedDay: z.number().default(0),
  /** From where it was opened or last used, as once a day is looked. */
  usedFrom: UsedFrom.optional(),
  /** Whether push messages were asked for in it. */
  isPushed: z.boolean().optional(),
});
export type BrowserSession = z.infer<typeof BrowserSession>;

export const browserSessions = keyspace<[string], BrowserSession>({
  number: 93,
  name: 'browser sessions',
  owner,
  key: [hashedString('session')],
  value: record(BrowserSession),
  bound: { by: 'owner', reason: 'one for each entry in the lists of accounts, which have a bound' },
});

const TokenReference = z.object({ tokenId: z.string() });

export const tokensOfUser = keyspace<[string, bigint], z.infer<typeof TokenReference>>({
  number: 94,
  name: 'tokens of user',
  owner,
  key: [hashedString('session'), id('issue')],
  value: record(TokenReference),
  bound: { by: 'count', entries: sessionLimits.tokensPerAccountMax, atRest: true },
});

/** Tokens of applications themselves, without an account. */
export const tokensOfApplication = keyspace<[string, bigint], z.infer<typeof TokenReference>>({
  number: 98,
  name: 'tokens of application',
  owner,
  key: [hashedString('session'), id('issue')],
  value: record(TokenReference),
  bound: { by: 'count', entries: sessionLimits.tokensPerApplicationMax, atRest: true },
});

const SessionReference = z.object({ sessionId: z.string() });

export const browserSessionsOfUser = keyspace<[string, bigint], z.infer<typeof SessionReference>>({
  number: 99,
  name: 'browser sessions of user',
  owner,
  key: [hashedString('session'), id('opening')],
  value: record(SessionReference),
  bound: { by: 'count', entries: sessionLimits.browserSessionsPerAccountMax, atRest: true },
});

/** The day a user was last active. */
export const activity = keyspace<[string], number>({
  number: 95,
  name: 'activity',
  owner,
  key: [hashedString('session')],
  value: packed(z.number()),
  bound: { by: 'owner', reason: 'one per local account' },
});

/** The list that contains a token, with the key of its actor. */
function listOf({ accountId, clientId }: Pick<Token, 'accountId' | 'clientId'>) {
  return accountId === undefined
    ? ([tokensOfApplication, applicationKey(clientId)] as const)
    : ([tokensOfUser, userKey(accountId)] as const);
}

function listRule(list: typeof tokensOfUser): Rule {
  return agreement(list, ([, issue], { tokenId }, server) => {
    const token = server.get(tokens, [tokenKey(tokenId)]);
    if (token === undefined) return 'leads to a token that is not there';
    const [itsList, key] = listOf(token);
    const isListed = itsList === list && server.get(list, [key, issue])?.tokenId === tokenId;
    return isListed ? undefined : 'leads to a token of another';
  });
}

function isListed(server: ServerReader, token: Token, bytes: Uint8Array): boolean {
  const [list, key] = listOf(token);
  for (const { value } of server.range(list, [key])) if (isKey(tokens, [tokenKey(value.tokenId)], bytes)) return true;
  return false;
}

function isListedSession(server: ServerReader, { accountId }: BrowserSession, bytes: Uint8Array): boolean {
  for (const { value } of server.range(browserSessionsOfUser, [userKey(accountId)]))
    if (isKey(browserSessions, [browserKey(value.sessionId)], bytes)) return true;
  return false;
}

export const sessionRules: readonly Rule[] = [
  awaits(codes, [Session.forgetCode]),
  /** Those of older versions end at the time at which they were opened to end. */
  awaits(browserSessions, [Session.browserSessionOver, Session.forgetBrowserSession]),
  awaits(tokens, [Session.forgetUsedFrom], { isAwaiting: (_key, { usedFrom }) => usedFrom !== undefined }),
  awaits(applications, [Session.forgetUnusedApplication], { isAwaiting: (_key, { used }) => !used }),
  rule(applications, (_key, { clientId }, _reader, bytes) =>
    isKey(applications, [applicationKey(clientId)], bytes) ? undefined : 'is another application',
  ),
  agreement(browserSessionsOfUser, ([, opening], { sessionId }, server, bytes) => {
    const session = server.get(browserSessions, [browserKey(sessionId)]);
    if (session === undefined) return 'leads to a browser session that is not there';
    const isOwn = isKey(browserSessionsOfUser, [userKey(session.accountId), opening], bytes);
    return isOwn ? undefined : 'leads to a browser session of another';
  }),
  agreement(browserSessions, (_key, session, server, bytes) =>
    session.openedAt === undefined || isListedSession(server, session, bytes)
      ? undefined
      : 'is not in the list of its account',
  ),
  listRule(tokensOfUser),
  listRule(tokensOfApplication),
  agreement(tokens, (_key, token, server, bytes) =>
    isListed(server, token, bytes) ? undefined : 'is not in the list of its account or application',
  ),
];
