/** Accounts through the API (specification 4.2, 7: a suspended one is 410; hidden lists; search among followed accounts). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { activityLimits } from '../../../../src/federation/limits.ts';
import { accountsEndpoints } from '../../../../src/gateway/rest/accounts/accounts.endpoints.ts';
import { postFollow } from '../../../../src/gateway/rest/accounts/follow-account.ts';
import { getAccount } from '../../../../src/gateway/rest/accounts/get-account.ts';
import { getAccounts } from '../../../../src/gateway/rest/accounts/get-accounts.ts';
import { getBlocks } from '../../../../src/gateway/rest/accounts/get-blocks.ts';
import { getFollowRequests } from '../../../../src/gateway/rest/accounts/get-follow-requests.ts';
import { getFollowers } from '../../../../src/gateway/rest/accounts/get-followers.ts';
import { getFollowing } from '../../../../src/gateway/rest/accounts/get-following.ts';
import { getIdentityProofs } from '../../../../src/gateway/rest/accounts/get-identity-proofs.ts';
import { getMutes } from '../../../../src/gateway/rest/accounts/get-mutes.ts';
import { getRelationships } from '../../../../src/gateway/rest/accounts/get-relationships.ts';
import { lookupAccount } from '../../../../src/gateway/rest/accounts/lookup-account.ts';
import { getAccountSearch } from '../../../../src/gateway/rest/accounts/search-accounts.ts';
import { getEndorsementsOfAccount } from '../../../../src/gateway/rest/endorsements/endorsements.endpoints.ts';
import { type ApiAnswer, MemoryApi } from '../../../support/memory-api.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';
import { origin, silentHost } from '../../../support/services.ts';

let people: People;
let api: MemoryApi;
let alice: Person;
let bob: Person;

beforeEach(() => {
  people = new People();
  api = new MemoryApi(people.server);
  alice = people.local('alice');
  bob = people.remote('bob', 'remote.example');
});

const of = (person: Person) => ({ id: person.id.toString() });
type Named = { username: string };
const usernamesOf = ({ body }: ApiAnswer<Named[]>) => body.map((one) => one.username);

test('every endpoint is there once, and names only scopes that exist', () => {
  const routes = accountsEndpoints.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`));
  expect(new Set(routes).size).toBe(routes.length);
  expect(routes).toContain('PUT /api/v1/accounts/update_credentials');
  expect(routes).toContain('PATCH /api/v1/accounts/update_credentials');
});

describe('a remote account that was not fetched for a day', () => {
  const asked = () => people.server.effects.map(({ request }) => request);
  beforeEach(() => people.server.clock.advance(activityLimits.profileAgeMilliseconds));

  const lookedAt = [{ uri: 'https://remote.example/users/bob' }];

  test.each<[string, () => Promise<unknown>]>([
    ['looked at', () => api.ask(getAccount, alice, of(bob))],
    ['looked up', () => api.ask(lookupAccount, alice, { acct: 'bob@remote.example' })],
    ['searched for', () => api.ask(getAccountSearch, alice, { q: '@bob@remote.example' })],
    ['followed', () => api.ask(postFollow, alice, of(bob))],
  ])('is asked for again when it is %s, once', async (_how, look) => {
    await look();
    await look();
    people.server.settle();
    expect(asked()).toEqual(lookedAt);
  });

  test('is left alone by those who are not signed in, and when it is younger', async () => {
    await api.ask(getAccount, undefined, of(bob));
    people.learn(bob);
    people.server.clock.advance(activityLimits.profileAgeMilliseconds - 1);
    await api.ask(getAccount, alice, of(bob));
    people.server.settle();
    expect(asked()).toEqual([]);
  });
});

describe('one account', () => {
  test('is shown to everybody', async () => {
    const { body } = await api.ask(getAccount, undefined, of(alice));
    expect(body).toMatchObject({ id: alice.id.toString(), acct: 'alice', url: `${origin}/@alice` });
    expect((await api.ask(getAccount, alice, of(bob))).body).toMatchObject({ acct: 'bob@remote.example' });
  });

  test.each(['77', 'nonsense'])('that does not exist is 404: %s', async (id) => {
    await expect(api.ask(getAccount, undefined, { id })).rejects.toMatchObject({ status: 404 });
  });

  test('that its server has deleted is 404, by id and by handle, in both dialects', async () => {
    await people.server.call(Account.remoteAccountDeleted.to(bob.id, {}));
    for (const dialect of ['specification', 'mastodon'] as const) {
      await expect(api.ask(getAccount, alice, of(bob), dialect)).rejects.toMatchObject({ status: 404 });
      const lookup = api.ask(lookupAccount, alice, { acct: 'bob@remote.example' }, dialect);
      await expect(lookup).rejects.toMatchObject({ status: 404 });
    }
    expect((await api.ask(getRelationships, alice, of(bob))).body).toEqual([]);
  });

  test('whose owner has not confirmed the address is 404', async () => {
    const carol = people.local('carol', {}, { confirmed: false });
    await expect(api.ask(getAccount, undefined, of(carol))).rejects.toMatchObject({ status: 404 });
  });

  test('that has moved shows where, once', async () => {
    people.move(bob, alice);
    people.move(alice, bob);
    const { body } = await api.ask(getAccount, undefined, of(bob));
    expect(body.moved).toMatchObject({ acct: 'alice' });
    expect(body.moved).not.toHaveProperty('moved');
  });

  test('that is suspended is 410 by the specification, and emptied for the Mastodon dialect', async () => {
    people.suspend(alice);
    for (const endpoint of [getAccount, getFollowers, getFollowing]) {
      await expect(api.ask(endpoint, undefined, of(alice))).rejects.toMatchObject({ status: 410 });
      await expect(api.ask(endpoint, bob, of(alice))).rejects.toMatchObject({ status: 410 });
      expect((await api.ask(endpoint, bob, of(alice), 'mastodon')).status).toBe(200);
    }
    const { body } = await api.ask(getAccount, bob, of(alice), 'mastodon');
    expect(body).toMatchObject({ suspended: true, display_name: '', note: '', fields: [] });
  });

  test('that is suspended shows nobody whom it follows or features, and none of its followers', async () => {
    await people.follow(bob, alice);
    await people.follow(alice, bob);
    await people.server.call(Account.endorse.to(alice.id, { targetId: bob.id }));
    const lists = [getFollowers, getFollowing, getEndorsementsOfAccount];
    const shown = () =>
      Promise.all(lists.map(async (list) => usernamesOf(await api.ask(list, bob, of(alice), 'mastodon'))));
    expect(await shown()).toEqual([['bob'], ['bob'], ['bob']]);
    people.suspend(alice);
    expect(await shown()).toEqual([[], [], []]);
  });
});

test('several accounts come in the order asked for, without unknown ones', async () => {
  const id = [bob.id.toString(), '5', alice.id.toString()];
  expect(usernamesOf(await api.ask(getAccounts, undefined, { id }))).toEqual(['bob', 'alice']);
  expect((await api.ask(getAccounts, undefined)).body).toEqual([]);
  const others = Array.from({ length: 39 }, (_, index) => `${index + 1}`);
  expect((await api.ask(getAccounts, undefined, { id: [...id, ...others.slice(2), ...id] })).body).toHaveLength(2);
  await expect(api.ask(getAccounts, undefined, { id: [...id, ...others] })).rejects.toMatchObject({
    code: 'validation',
  });
});

describe('looking up', () => {
  test.each([
    ['alice', 'alice'],
    ['@alice@here.example', 'alice'],
    ['https://HERE.example/@alice/?x=1', 'alice'],
    ['bob@remote.example', 'bob@remote.example'],
  ])('%s finds %s', async (acct, found) => {
    expect((await api.ask(lookupAccount, undefined, { acct })).body).toMatchObject({ acct: found });
  });

  test.each(['carol', 'alice@remote.example', ''])('%s finds nobody', async (acct) => {
    await expect(api.ask(lookupAccount, undefined, { acct })).rejects.toMatchObject({ status: 404 });
  });
});

describe('searching', () => {
  const search = async (q: string, more = {}) => usernamesOf(await api.ask(getAccountSearch, alice, { q, ...more }));

  test.each([
    'bob@remote.example',
    '@bob@remote.example',
    'https://remote.example/users/bob',
  ])('%s finds exactly one', async (q) => {
    expect(await search(q)).toEqual(['bob']);
  });

  test.each([`${origin}/@alice`, `${origin}/users/alice`, 'alice'])('%s finds oneself', async (q) => {
    expect(await search(q)).toEqual(['alice']);
  });

  test.each(['', ' ', undefined])('for %j finds nobody', async (q) => {
    expect(await search(q as string)).toEqual([]);
  });

  /** Apps such as mastodon.el look somebody up so, to unblock them. */
  test('finds whom one blocks by the exact handle alone, and nobody who blocks one', async () => {
    const carol = people.local('carol');
    await people.block(alice, carol);
    expect([await search('@carol'), await search('caro')]).toEqual([['carol'], []]);
    await people.block(carol, alice);
    expect(await search('@carol')).toEqual([]);
  });

  test('never goes by e-mail address', async () => {
    expect(await search('alice@example.org')).toEqual([]);
    expect(await search('email:alice@example.org')).toEqual([]);
  });

  test('asks other servers only when told to', async () => {
    const carol = people.remote('carol', 'other.example');
    api.elsewhere.set('carol@alias.example', carol.id);
    expect(await search('carol@alias.example')).toEqual([]);
    expect(await search('Carol@Alias.example', { resolve: 'True' })).toEqual(['carol']);
  });

  test.each([
    `carol@${silentHost}`,
    `@carol@${silentHost}`,
    `https://${silentHost}/@carol`,
  ])('%s, whose server does not answer, is 503 where it is asked', async (q) => {
    expect(await search(q)).toEqual([]);
    await expect(search(q, { resolve: 'true' })).rejects.toMatchObject({
      status: 503,
      message: 'Remote data could not be fetched',
    });
  });

  test('among followed accounts finds those only', async () => {
    expect(await search('bob', { following: 'true' })).toEqual([]);
    await people.follow(alice, bob);
    expect(await search('bo', { following: 'true' })).toEqual(['bob']);
  });
});

describe('lists', () => {
  test('of followers page by Link headers', async () => {
    for (const name of ['dave', 'erin', 'frank']) {
      await people.follow(people.local(name), alice);
      people.server.clock.advance(1_000);
    }
    const first = await api.ask<Named[]>(getFollowers, undefined, { ...of(alice), limit: '2' });
    expect(usernamesOf(first)).toEqual(['frank', 'erin']);
    const next = /<([^>]*)>; rel="next"/.exec(first.headers.Link!)![1]!;
    expect(next.startsWith(`${origin}/api/v1/accounts/${alice.id}/followers?limit=2&max_id=`)).toBe(true);
    expect(first.headers.Link).toMatch(/since_id=\d+>; rel="prev"/);
    const second = await api.ask<Named[]>(getFollowers, undefined, { ...of(alice), ...first.links.next });
    expect(usernamesOf(second)).toEqual(['dave']);
    expect(second.links.next).toBeUndefined();
  });

  test('that are hidden are empty for others', async () => {
    await people.follow(alice, bob);
    people.change(alice, { hideCollections: true });
    expect((await api.ask(getFollowing, undefined, of(alice))).body).toEqual([]);
    expect(usernamesOf(await api.ask(getFollowing, alice, of(alice)))).toEqual(['bob']);
  });

  test('are empty for whom their owner blocks', async () => {
    const carol = people.local('carol');
    await people.follow(bob, alice);
    await people.follow(alice, bob);
    await people.block(alice, carol);
    for (const list of [getFollowers, getFollowing]) {
      expect((await api.ask(list, carol, of(alice))).body).toEqual([]);
      expect(usernamesOf(await api.ask(list, undefined, of(alice)))).toEqual(['bob']);
    }
  });

  test('of blocks, mutes and requests are of the user', async () => {
    people.change(alice, { locked: true });
    const carol = people.local('carol');
    await people.follow(carol, alice);
    await people.block(alice, bob);
    await people.mute(alice, carol, { seconds: 60 });
    expect(usernamesOf(await api.ask(getBlocks, alice))).toEqual(['bob']);
    expect(usernamesOf(await api.ask(getFollowRequests, alice))).toEqual(['carol']);
    const { body } = await api.ask(getMutes, alice);
    const mute_expires_at = new Date(people.server.clock.now() + 60_000).toISOString();
    expect(body).toMatchObject([{ username: 'carol', mute_expires_at }]);
    expect((await api.ask(getBlocks, carol)).body).toEqual([]);
  });
});

test('nobody has identity proofs', async () => {
  expect((await api.ask(getIdentityProofs, alice, of(bob))).body).toEqual([]);
  await expect(api.ask(getIdentityProofs, alice, { id: '5' })).rejects.toMatchObject({ status: 404 });
});
