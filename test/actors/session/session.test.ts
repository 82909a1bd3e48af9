/** Codes, tokens, applications and browser sessions, through real partitions. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { usageOf } from '../../../src/actors/instance/instance.queries.ts';
import { sessionLimits } from '../../../src/actors/session/limits.ts';
import { sessionActor } from '../../../src/actors/session/session.actor.ts';
import { loginChanged, tokenRevoked } from '../../../src/actors/session/session.events.ts';
import {
  applicationKey,
  browserKey,
  codeKey,
  dayOf,
  digestOfSecret,
  Session,
  tokenKey,
  userKey,
} from '../../../src/actors/session/session.messages.ts';
import {
  applicationOfClient,
  browserSessionOf,
  browserSessionsOfAccount,
  findApplication,
  grantOfToken,
  tokensOfAccount,
} from '../../../src/actors/session/session.queries.ts';
import {
  browserSessions,
  browserSessionsOfUser,
  tokensOfApplication,
} from '../../../src/actors/session/session.state.ts';
import { createTestServer, recordingActor, type TestServer } from '../../support/actors.ts';
import { entryCounts } from '../../support/entry-counts.ts';

const alice = 1_000_000_000_064n;
const redirectUri = 'https://app.example/callback';
const verifier = 'a verifier of some length that only the client knows';
const challenge = digestOfSecret(verifier);
const rights = {
  clientId: 'client',
  applicationId: 7n,
  accountId: alice,
  scopes: ['read', 'write'],
  dialect: 'mastodon' as const,
};
const code = codeKey(digestOfSecret('the code'));
const tokenId = digestOfSecret('the token');

let account: ReturnType<typeof recordingActor>;
let server: TestServer;

beforeEach(() => {
  account = recordingActor(Account);
  server = createTestServer({ actors: [sessionActor, account.actor], keyspaces });
});

afterEach(() => {
  expect(server.problems).toEqual([]);
});

const register = (permanent = false) =>
  server.call(
    Session.registerApplication.to(applicationKey('client'), {
      clientId: 'client',
      secretDigest: digestOfSecret('the secret'),
      name: 'Phanpy',
      redirectUris: [redirectUri],
      scopes: ['read', 'write'],
      dialect: 'mastodon',
      permanent,
    }),
  );

const issueCode = (withChallenge = true) =>
  server.call(Session.issueCode.to(code, { ...rights, redirectUri, ...(withChallenge ? { challenge } : {}) }));

const exchange = (changes: Record<string, string | undefined> = {}) =>
  server.call(Session.exchangeCode.to(code, { clientId: 'client', redirectUri, challenge, tokenId, ...changes }));

const issueToken = (secret: string, accountId: bigint | undefined = alice) =>
  server.call(Session.issueToken.to(tokenKey(digestOfSecret(secret)), { ...rights, accountId }));

/** A token of the application itself. */
const issueApplicationToken = (secret: string, clientId = 'client') => {
  const { accountId: _accountId, ...own } = rights;
  return server.call(Session.issueToken.to(tokenKey(digestOfSecret(secret)), { ...own, clientId }));
};

describe('a code', () => {
  test('gives one token with the rights it was issued for', async () => {
    await register();
    await issueCode();
    expect(await exchange()).toEqual({ createdAt: server.clock.now(), scopes: ['read', 'write'] });
    expect(grantOfToken(server.read, 'the token')).toEqual({
      grant: { tokenId, accountId: alice, applicationId: 7n, scopes: new Set(['read', 'write']), dialect: 'mastodon' },
      lastUsedDay: 0,
    });
    expect(findApplication(server.read, { tokenId })).toEqual({ name: 'Phanpy', website: undefined });
  });

  test('that comes a second time gives none, and takes the first one back', async () => {
    await issueCode();
    await exchange();
    expect(await exchange({ tokenId: digestOfSecret('another token') })).toEqual({ reused: true });
    expect(grantOfToken(server.read, 'the token')).toBeUndefined();
    expect(grantOfToken(server.read, 'another token')).toBeUndefined();
    expect(server.events(tokenRevoked)).toEqual([{ tokenId, accountId: alice }]);
  });

  test.each([
    ['another client', { clientId: 'other' }],
    ['another address', { redirectUri: `${redirectUri}/` }],
    ['another verifier', { challenge: digestOfSecret('a guess') }],
    ['no verifier', { challenge: undefined }],
  ])('is refused to %s, and stays good', async (_name, changes) => {
    await issueCode();
    await expect(exchange(changes)).rejects.toMatchObject({ code: 'invalidGrant' });
    expect(await exchange()).toMatchObject({ scopes: ['read', 'write'] });
  });

  test('without a challenge takes no verifier', async () => {
    await issueCode(false);
    await expect(exchange()).rejects.toMatchObject({ code: 'invalidGrant' });
    expect(await exchange({ challenge: undefined })).toMatchObject({ scopes: ['read', 'write'] });
  });

  test('ends after ten minutes', async () => {
    await issueCode();
    server.clock.advance(sessionLimits.codeMilliseconds);
    await expect(exchange()).rejects.toMatchObject({ code: 'invalidGrant' });
  });
});

describe('a token', () => {
  test('for web push ends its subscription with itself', async () => {
    await server.call(Session.issueToken.to(tokenKey(tokenId), { ...rights, scopes: ['push'] }));
    expect(account.told).toEqual([]);
    await server.call(Session.revokeToken.to(tokenKey(tokenId), {}));
    expect(account.told).toEqual([{ name: 'pushTokenGone', key: alice, body: { tokenId } }]);
  });

  test('ends when it is revoked, once', async () => {
    await issueToken('the token');
    await server.call(Session.revokeToken.to(tokenKey(tokenId), {}));
    await server.call(Session.revokeToken.to(tokenKey(tokenId), {}));
    expect(grantOfToken(server.read, 'the token')).toBeUndefined();
    expect(server.events(tokenRevoked)).toEqual([{ tokenId, accountId: alice }]);
    expect(tokensOfAccount(server.read, alice)).toEqual([]);
  });

  test('is written at most once a day, and so is the activity of its account', async () => {
    await issueToken('the token');
    const today = dayOf(server.clock.now());
    const used = (day: number) => server.call(Session.tokenUsed.to(tokenKey(tokenId), { day }));
    await used(today + 1);
    const commits = server.partitions.map((partition) => partition.commit);
    await used(today + 1);
    await used(today);
    expect(server.partitions.map((partition) => partition.commit)).toEqual(commits);
    expect(grantOfToken(server.read, 'the token')?.lastUsedDay).toBe(today + 1);
  });

  test('removes the oldest of its account when there are too many', async () => {
    for (let number = 0; number <= sessionLimits.tokensPerAccountMax; number += 1) await issueToken(`token ${number}`);
    expect(grantOfToken(server.read, 'token 0')).toBeUndefined();
    expect(grantOfToken(server.read, 'token 1')).toBeDefined();
    expect(tokensOfAccount(server.read, alice)).toHaveLength(sessionLimits.tokensPerAccountMax);
  });

  test('goes with all others of its account', async () => {
    await issueToken('the token');
    await issueToken('another token');
    await issueToken('of bob', 2_000_000_000_064n);
    await server.call(Session.revokeTokensOfUser.to(userKey(alice), {}));
    expect(
      ['the token', 'another token', 'of bob'].map((token) => grantOfToken(server.read, token) === undefined),
    ).toEqual([true, true, false]);
    expect(server.events(loginChanged)).toEqual([]);
  });
});

describe('a token of an application itself', () => {
  const { tokensPerApplicationMax } = sessionLimits;
  const listed = () => entryCounts(server)[tokensOfApplication.name] ?? 0;

  test('pushes the oldest of its application out when there are too many, and none of anybody else', async () => {
    await issueToken('of alice');
    await issueApplicationToken('of another', 'another client');
    for (let number = 0; number <= tokensPerApplicationMax; number += 1) await issueApplicationToken(`token ${number}`);
    const isThere = (token: string) => grantOfToken(server.read, token) !== undefined;
    expect(['token 0', 'token 1', 'of another', 'of alice'].map(isThere)).toEqual([false, true, true, true]);
    expect(server.events(tokenRevoked)).toEqual([{ tokenId: digestOfSecret('token 0'), accountId: undefined }]);
    // With that of the other application.
    expect(listed()).toBe(tokensPerApplicationMax + 1);
  });

  test('leaves the list when it is revoked', async () => {
    await issueApplicationToken('the token');
    expect(listed()).toBe(1);
    await server.call(Session.revokeToken.to(tokenKey(tokenId), {}));
    expect(listed()).toBe(0);
  });
});

describe('an application', () => {
  test('is registered once, however often the message comes', async () => {
    expect(await register()).toEqual(await register());
  });

  test.each([
    ['that nobody used is forgotten after a day', false, false, false],
    ['with a token stays', false, true, true],
    ['of the server itself stays', true, false, true],
  ])('%s', async (_name, permanent, used, stays) => {
    await register(permanent);
    if (used) await issueToken('the token');
    server.clock.advance(sessionLimits.unusedApplicationMilliseconds);
    expect(applicationOfClient(server.read, 'client') !== undefined).toBe(stays);
  });
});

describe('a browser session', () => {
  const open = () =>
    server.call(
      Session.openBrowserSession.to(browserKey(digestOfSecret('cookie')), {
        accountId: alice,
        passwordMark: 'mark',
        browser: '',
      }),
    );
  const find = () => browserSessionOf(server.read, 'cookie', server.clock.now());

  test('is found by its secret until it is closed', async () => {
    await open();
    expect(find()).toMatchObject({ accountId: alice, passwordMark: 'mark' });
    expect(browserSessionOf(server.read, 'another', server.clock.now())).toBeUndefined();
    await server.call(Session.closeBrowserSession.to(browserKey(digestOfSecret('cookie')), {}));
    expect(find()).toBeUndefined();
  });

  test('is listed for its account as long as it lasts, and a newer one pushes the oldest out', async () => {
    const listed = () => browserSessionsOfAccount(server.read, alice, server.clock.now());
    const openAs = (secret: string, browser: string) =>
      server.call(
        Session.openBrowserSession.to(browserKey(digestOfSecret(secret)), {
          accountId: alice,
          passwordMark: 'mark',
          browser,
        }),
      );
    for (let number = 0; number <= sessionLimits.browserSessionsPerAccountMax; number += 1)
      await openAs(`secret ${number}`, `Browser ${number}`);
    expect(listed()).toHaveLength(sessionLimits.browserSessionsPerAccountMax);
    expect([listed()[0], listed().at(-1)].map((one) => one?.session.browser)).toEqual(['Browser 100', 'Browser 1']);
    await server.call(Session.closeBrowserSession.to(browserKey(digestOfSecret('secret 50')), {}));
    expect(listed()).toHaveLength(sessionLimits.browserSessionsPerAccountMax - 1);
    server.clock.advance(sessionLimits.browserSessionMilliseconds);
    expect(listed()).toEqual([]);
    expect(entryCounts(server)[browserSessionsOfUser.name]).toBeUndefined();
  });

  test('expires', async () => {
    await open();
    server.clock.advance(sessionLimits.browserSessionMilliseconds - 1);
    expect(find()).toBeDefined();
    server.clock.advance(1);
    expect(find()).toBeUndefined();
  });

  test('lasts from the day on which it was used last', async () => {
    await open();
    server.clock.advance(sessionLimits.browserSessionMilliseconds - 1);
    const day = dayOf(server.clock.now());
    await server.call(Session.browserSessionUsed.to(browserKey(digestOfSecret('cookie')), { day }));
    server.clock.advance(sessionLimits.browserSessionMilliseconds - 1);
    expect(find()).toBeDefined();
    server.clock.advance(1);
    expect(find()).toBeUndefined();
    expect(entryCounts(server)[browserSessions.name]).toBeUndefined();
  });
});

test('people who were active are counted once in each window of 30 and of 180 days (specification 2.2, 8)', async () => {
  const start = dayOf(server.clock.now());
  const active = (account: bigint, day: number) =>
    server.turn(Session.actor, userKey(account), (turn) => turn.tell(Session.userActive.to(userKey(account), { day })));
  const usage = (today: number) => usageOf(server.read.partitions, today);
  const people = Array.from({ length: 20 }, (_, number) => BigInt(number + 1) << 16n);
  for (const person of people) for (const day of [start, start + 1, start + 2]) active(person, day);
  for (const person of people.slice(0, 5)) active(person, start + 40);
  expect(usage(start + 40)).toMatchObject({ activeMonth: 5, activeHalfyear: 20 });
  expect(usage(start + 31)).toMatchObject({ activeMonth: 20, activeHalfyear: 20 });
  expect(usage(start + 32)).toMatchObject({ activeMonth: 5 });
  expect(usage(start + 181)).toMatchObject({ activeMonth: 0, activeHalfyear: 20 });
  expect(usage(start + 182)).toMatchObject({ activeHalfyear: 5 });
});
