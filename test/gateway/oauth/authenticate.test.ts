/** Grants of tokens: the cache and its invalidation. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { addressesOf } from '../../../src/actors/account/sign-ins/sign-ins.queries.ts';
import { usageOf } from '../../../src/actors/instance/instance.queries.ts';
import { dayOf, digestOfSecret, Session, tokenKey, userKey } from '../../../src/actors/session/session.messages.ts';
import type { Admission, Authenticate } from '../../../src/gateway/http/grant.ts';
import { createAuthenticator } from '../../../src/gateway/oauth/authenticate.ts';
import { oauthLimits } from '../../../src/gateway/oauth/limits.ts';
import { issueToken } from '../../../src/operations/applications/issue-token.ts';
import { Failure } from '../../../src/runtime/errors.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { addPerson, changeLogin, startGateway } from './people.ts';

let gateway: TestGateway;
let authenticate: (token: string, admits?: Admission, ip?: string) => ReturnType<Authenticate>;
let alice: bigint;
let token: string;

const rights = { clientId: 'client', applicationId: 7n, scopes: ['read'], dialect: 'specification' as const };

beforeEach(async () => {
  gateway = startGateway();
  const authenticator = createAuthenticator(gateway.services);
  authenticate = (sent, admits, ip = '192.0.2.1') => authenticator(sent, { ip }, admits);
  alice = await addPerson(gateway, 'alice');
  ({ token } = await issueToken(gateway.services, { ...rights, accountId: alice }));
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

test('a grant is read once and then cached', () => {
  const grant = authenticate(token);
  expect(grant).toEqual({
    tokenId: digestOfSecret(token),
    accountId: alice,
    applicationId: 7n,
    scopes: new Set(['read']),
    dialect: 'specification',
    hasMoved: false,
  });
  const reads = vi.spyOn(gateway.services.snapshots, 'get');
  expect(authenticate(token)).toBe(grant);
  expect(reads).not.toHaveBeenCalled();
});

test('an unknown token has no grant', () => {
  expect(authenticate('unknown')).toBeUndefined();
  expect(authenticate(digestOfSecret(token))).toBeUndefined();
});

describe('a cached grant is dropped', () => {
  test('when its token is revoked', async () => {
    authenticate(token);
    await gateway.actors.call(Session.revokeToken.to(tokenKey(digestOfSecret(token)), {}));
    expect(authenticate(token)).toBeUndefined();
  });

  test('when all tokens of the account are', async () => {
    authenticate(token);
    await gateway.actors.call(Session.revokeTokensOfUser.to(userKey(alice), {}));
    expect(authenticate(token)).toBeUndefined();
  });

  test.each([
    ['suspended', { suspended: true }, 'loginDisabled'],
    ['disabled', { disabled: true }, 'loginDisabled'],
    ['unconfirmed', { confirmed: false }, 'loginUnconfirmed'],
    ['pending', { approved: false }, 'loginPending'],
  ])('when the account is %s, and comes back', async (_name, change, code) => {
    authenticate(token);
    await changeLogin(gateway, alice, change);
    expect(() => authenticate(token)).toThrow(expect.objectContaining({ code }));
    const back = { suspended: false, disabled: false, confirmed: true, approved: true };
    await changeLogin(gateway, alice, back);
    expect(authenticate(token)).toMatchObject({ accountId: alice });
  });

  test.each([
    ['unconfirmed', { confirmed: false }],
    ['pending', { approved: false }],
  ])('when the account is %s: what is open to anybody is open to its token too, without the account', async (_name, change) => {
    authenticate(token);
    await changeLogin(gateway, alice, change);
    expect(authenticate(token, 'waiting')).toMatchObject({ accountId: undefined, scopes: new Set(['read']) });
    expect(() => authenticate(token)).toThrow();
    await changeLogin(gateway, alice, { confirmed: true, approved: true });
    expect(authenticate(token, 'waiting')).toMatchObject({ accountId: alice });
    await changeLogin(gateway, alice, { disabled: true });
    expect(() => authenticate(token, 'waiting')).toThrow(expect.objectContaining({ code: 'loginDisabled' }));
  });

  test('when the account moves, and comes back', async () => {
    authenticate(token);
    await gateway.actors.call(Account.move.to(alice, { targetId: 1n }));
    expect(authenticate(token)).toMatchObject({ accountId: alice, hasMoved: true });
    await gateway.actors.call(Account.cancelMove.to(alice, {}));
    expect(authenticate(token)).toMatchObject({ accountId: alice, hasMoved: false });
  });

  test('when events may have been missed', () => {
    authenticate(token);
    const reads = vi.spyOn(gateway.services.snapshots, 'get');
    gateway.services.events.dispatchLoss();
    authenticate(token);
    expect(reads).toHaveBeenCalled();
  });

  test('when too many came after it', async () => {
    authenticate(token);
    const reads = vi.spyOn(gateway.services.snapshots, 'get');
    const stored = { ...rights, accountId: undefined, createdAt: 0, lastUsedDay: Number.POSITIVE_INFINITY };
    reads.mockReturnValue(stored);
    for (let number = 0; number < oauthLimits.grantsMax; number += 1) authenticate(`token ${number}`);
    reads.mockRestore();
    const again = vi.spyOn(gateway.services.snapshots, 'get');
    authenticate(`token ${oauthLimits.grantsMax - 1}`);
    expect(again).not.toHaveBeenCalled();
    expect(authenticate(token)).toMatchObject({ accountId: alice });
    expect(again).toHaveBeenCalled();
  });
});

test('the use of a token is noted once a day', async () => {
  const call = vi.spyOn(gateway.services.client, 'call');
  authenticate(token);
  authenticate(token);
  expect(call).toHaveBeenCalledTimes(1);
  gateway.actors.clock.advance(24 * 60 * 60 * 1000);
  for (let time = 0; time < 3; time += 1) authenticate(token);
  expect(call).toHaveBeenCalledTimes(2);
  gateway.actors.clock.advance(29 * 24 * 60 * 60 * 1000);
  const active = () => usageOf(gateway.actors.read.partitions, dayOf(gateway.actors.clock.now()));
  expect(active()).toMatchObject({ activeMonth: 1, activeHalfyear: 1 });
  gateway.actors.clock.advance(24 * 60 * 60 * 1000);
  expect(active()).toMatchObject({ activeMonth: 0, activeHalfyear: 1 });
});

test('the addresses from which a token is used are noted, each once a day', async () => {
  const minute = () => gateway.actors.clock.advance(60_000);
  const addresses = () => addressesOf(gateway.actors.read, alice).map(({ address }) => address);
  authenticate(token);
  const call = vi.spyOn(gateway.services.client, 'call');
  // Nobody looks twice within a minute.
  authenticate(token, 'active', '192.0.2.2');
  expect(call).not.toHaveBeenCalled();
  for (const ip of ['192.0.2.2', '192.0.2.1', '2001:db8::2', '192.0.2.2']) {
    minute();
    authenticate(token, 'active', ip);
  }
  await until(() => addresses().length === 3);
  expect(call).toHaveBeenCalledTimes(2);
  expect(addresses()[0]).toBe('2001:db8::2');
});

test('a use that an overloaded server could not note is noted with the next request, and fills no log', async () => {
  const call = vi.spyOn(gateway.services.client, 'call').mockRejectedValueOnce(new Failure('expired'));
  authenticate(token);
  await until(() => {
    authenticate(token);
    return call.mock.calls.length === 2;
  });
  expect(gateway.log).toEqual([]);
});

test('an account counts as active from the first use of a token that is served', async () => {
  const { token: waiting } = await issueToken(gateway.services, {
    ...rights,
    accountId: await addPerson(gateway, 'bob', { approved: false }),
  });
  const active = () => {
    gateway.actors.settle();
    return usageOf(gateway.actors.read.partitions, dayOf(gateway.actors.clock.now())).activeMonth;
  };
  expect(() => authenticate(waiting)).toThrow(expect.objectContaining({ code: 'loginPending' }));
  expect(active()).toBe(0);
  authenticate(token);
  expect(active()).toBe(1);
});
