/**
 * The messages of applications, codes, tokens and browser sessions. One actor each, by its key:
 *
 *   app:<client id>    an OAuth application           code:<digest>     an authorization code
 *   token:<digest>     an access token                browser:<digest>  somebody signed in to the pages
 *   user:<account id>  the tokens and browsers of an account, and the day it was last active
 *
 * INVARIANT: no secret is ever in a message or a record. The gateway that draws one sends its digest; a code, a token
 * and a browser session are found by that digest, so that reading the storage signs nobody in. Push subscriptions have
 * their token encrypted (services/sealed-tokens.ts), because apps expect it in each push message.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { call, cast, contract, Done, Nothing } from '../../runtime/contract.ts';
import type { Id } from '../../runtime/ids.ts';
import { identifier } from '../account/account.records.ts';
import { NewPushSubscription, PushSubscription } from '../account/push/push.records.ts';
import { SignInSource } from '../account/sign-ins/sign-ins.records.ts';
import { audited } from '../audit.records.ts';
import { sessionKind } from '../kinds.ts';

export const dialects = ['specification', 'mastodon'] as const;
export const Dialect = z.enum(dialects);
export type Dialect = z.infer<typeof Dialect>;

/** Secrets have 256 random bits, so a plain digest protects them. */
export function digestOfSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

export function applicationKey(clientId: string): string {
  return `app:${clientId}`;
}

export function codeKey(codeDigest: string): string {
  return `code:${codeDigest}`;
}

/** `tokenId` is the digest of the token. */
export function tokenKey(tokenId: string): string {
  return `token:${tokenId}`;
}

/** `sessionId` is the digest of the session's secret. */
export function browserKey(sessionId: string): string {
  return `browser:${sessionId}`;
}

export function userKey(accountId: Id): string {
  return `user:${accountId}`;
}

export const RegisteredApplication = z.object({
  clientId: z.string(),
  secretDigest: z.string(),
  name: z.string(),
  website: z.string().optional(),
  redirectUris: z.array(z.string()),
  scopes: z.array(z.string()),
  dialect: Dialect,
});

/** Whether more than its scopes decided the dialect. Absent in applications of older versions: the scopes decide. */
export const DialectIsFixed = z.boolean().optional();

const RegisterApplication = RegisteredApplication.extend({
  /** True for applications that cannot be registered at will: they are kept even if never used. */
  permanent: z.boolean(),
  isDialectFixed: DialectIsFixed,
});

/** The rights of a token; without an account it is one of the application itself. */
export const TokenRights = z.object({
  clientId: z.string(),
  applicationId: identifier,
  accountId: identifier.optional(),
  scopes: z.array(z.string()),
  dialect: Dialect,
});
export type TokenRights = z.infer<typeof TokenRights>;

/** Absent where nothing of it is kept. */
const source = SignInSource.optional();
/** From which address a token or a browser was used, and how long that is kept. */
export const UsedFrom = z.object({ address: z.string(), until: z.number() });
export type UsedFrom = z.infer<typeof UsedFrom>;
const from = UsedFrom.optional();

export const IssuedToken = z.object({ createdAt: z.number(), scopes: z.array(z.string()) });

/** A code that is used twice was stolen, by the first or by the second user. */
export const ExchangedCode = z.union([IssuedToken, z.object({ reused: z.literal(true) })]);

export const Session = contract(sessionKind, {
  // On `app:…`.
  registerApplication: call(1, RegisterApplication, z.object({ applicationId: identifier })),
  applicationUsed: cast(2, Nothing),
  forgetUnusedApplication: cast(3, Nothing),
  applicationTokenIssued: cast(4, z.object({ tokenId: z.string() })),
  applicationTokenGone: cast(5, z.object({ tokenId: z.string() })),

  // On `code:…`.
  issueCode: call(
    10,
    TokenRights.extend({ accountId: identifier, redirectUri: z.string(), challenge: z.string().optional() }),
    Done,
  ),
  /** `challenge` is the digest of the verifier that the client sent (RFC 7636, S256). */
  exchangeCode: call(
    11,
    z.object({
      clientId: z.string(),
      redirectUri: z.string(),
      challenge: z.string().optional(),
      tokenId: z.string(),
      source,
    }),
    ExchangedCode,
  ),
  forgetCode: cast(12, Nothing),

  // On `token:…`.
  issueToken: call(20, TokenRights.extend({ ...audited, source }), IssuedToken),
  revokeToken: call(21, Nothing, Done),
  /** The token was used on this day; sent once a day, and for each other address, by each gateway that sees it. */
  tokenUsed: call(22, z.object({ day: z.number(), from }), Done),
  /** The same, sent by an actor: the token was replaced by a newer one above the bound. */
  dropToken: cast(23, Nothing),
  /** On `token:…` and `browser:…`: the address from which it was used is kept no longer. */
  forgetUsedFrom: cast(24, Nothing),
  /** The token passes it on to its account, so that nothing is subscribed behind its revocation. Throws tokenInvalid. */
  subscribeToPush: call(44, z.object({ subscription: NewPushSubscription }), PushSubscription),

  // On `user:…`.
  userActive: cast(30, z.object({ day: z.number() })),
  tokenIssued: cast(31, z.object({ tokenId: z.string() })),
  tokenGone: cast(32, z.object({ tokenId: z.string() })),
  revokeTokensOfUser: call(33, z.object(audited), Done),
  browserSessionOpened: call(34, z.object({ sessionId: z.string() }), Done),
  browserSessionGone: cast(35, z.object({ sessionId: z.string() })),
  closeBrowsersOfUser: cast(36, Nothing),

  // On `browser:…`.
  openBrowserSession: call(
    40,
    z.object({ accountId: identifier, passwordMark: z.string(), browser: z.string().default(''), source }),
    Done,
  ),
  closeBrowserSession: call(41, Nothing, Done),
  forgetBrowserSession: cast(42, Nothing),
  /** A page was requested on this day; sent once a day. */
  browserSessionUsed: call(43, z.object({ day: z.number(), from }), Done),
  /** The time of the session as it was when it was last looked at: it has been used since, or it ends. */
  browserSessionOver: cast(46, Nothing),
  /** As `subscribeToPush`, on `browser:…`. Throws tokenInvalid where the session is closed or over. */
  subscribeBrowserToPush: call(45, z.object({ subscription: NewPushSubscription }), PushSubscription),
});

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Days since 1970, in UTC. */
export function dayOf(milliseconds: number): number {
  return Math.floor(milliseconds / dayMilliseconds);
}
