/** Results of searches per caller (specification 4.3: consistent with blocking and muting). */

import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findAccount } from '../../src/actors/account/profile/profiles.queries.ts';
import { searchForAccounts } from '../../src/operations/accounts/search-accounts.ts';
import { setHashtagDisallowed } from '../../src/operations/administration/disallowed-hashtags.ts';
import { operator } from '../../src/operations/caller.ts';
import { blockAccount } from '../../src/operations/relationships/block-account.ts';
import { blockDomain } from '../../src/operations/relationships/block-domain.ts';
import { isWebAddress } from '../../src/operations/search/resolve-address.ts';
import { type SearchResults, search } from '../../src/operations/search/search.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import type { Id } from '../../src/runtime/ids.ts';
import type { Person } from '../support/observer.ts';
import { silentHost } from '../support/services.ts';
import { Callers } from './callers.ts';

const origin = 'https://here.example';
const everything = { resolve: false, followedOnly: false, offset: 0, limit: 20 };
let callers: Callers;
let alice: Person;
let bob: Person;
let rita: Person;

beforeEach(() => {
  callers = new Callers();
  [alice, bob] = [callers.people.local('alice'), callers.people.local('bob')];
  rita = callers.people.remote('rita', 'there.example');
});

const post = async (by: Person, text: string, visibility: 'public' | 'private' = 'public') =>
  (await publishStatus(callers.as(by), { text, spoilerText: '', visibility })).statusId;

const receive = async (uri: string): Promise<Id> => {
  const status = {
    ...{ uri, url: `${uri}/page`, publishedAt: Date.UTC(2025, 0, 1), visibility: 'public' as const, sensitive: false },
    ...{
      spoilerText: '',
      content: '<p>hi</p>',
      mentions: [],
      tags: [],
      emojis: [],
      attachments: [],
      localMentions: [],
    },
  };
  return (
    await callers.people.server.call(Account.receiveStatus.to(rita.id, { status, receivedAt: Date.UTC(2025, 0, 1) }))
  ).statusId;
};

const find = (words: string, more: object = {}) => search(callers.as(alice), { words, ...everything, ...more });
const namesOf = (accountIds: readonly bigint[]) =>
  accountIds.map((id) => findAccount(callers.services.snapshots, id)?.profile.username);
const names = ({ accountIds }: SearchResults) => namesOf(accountIds);

describe('an address (specification 4.3)', () => {
  test('may have letters beyond ASCII, also once the code that reads it is compiled', () => {
    const times = Array.from({ length: 20_000 }, () => isWebAddress('https://bücher.example/@gabi'));
    expect(times.indexOf(false)).toBe(-1);
  });

  test.each([
    ['the page of a local account', `${origin}/@bob`, ['bob']],
    ['the actor of a local account', `${origin}/users/BOB`, ['bob']],
    ['the actor of a remote account', 'https://there.example/users/rita', ['rita']],
    ['the page of a remote account', 'https://there.example/@rita', ['rita']],
    ['the page of a local account with more behind', `${origin}/@bob/?x=1#y`, ['bob']],
    ['the page of a local account on its host in capitals', 'https://HERE.example/@bob', ['bob']],
    ['a page of here that there is not', `${origin}/@nobody`, []],
    ['a handle', 'rita@there.example', ['rita']],
  ])('%s', async (_case, words, expected) => {
    expect(names(await find(words))).toEqual(expected);
    expect(names(await find(words, { kind: 'accounts' }))).toEqual(expected);
    expect(names(await find(words, { kind: 'statuses' }))).toEqual([]);
  });

  test('of a status leads to it, and only whoever may see it', async () => {
    const [open, closed] = [await post(bob, 'words of bob'), await post(bob, 'between us', 'private')];
    const remote = await receive('https://there.example/notes/1');
    const page = `/@bob/${open}`;
    const pages = [origin + page, `${origin}${page}/`, `${origin}${page}?x=1`, `HTTPS://Here.Example${page}#y`];
    for (const words of [...pages, `${origin}/users/bob/statuses/${open}`]) {
      expect(await find(words)).toEqual({ accountIds: [], statusIds: [open], tags: [], collections: [] });
      expect((await find(words, { kind: 'accounts' })).statusIds).toEqual([]);
    }
    expect((await find('https://there.example/notes/1')).statusIds).toEqual([remote]);
    expect((await find(`${origin}/@bob/${closed}`)).statusIds).toEqual([]);
    expect((await find(`${origin}/@rita/${open}`)).statusIds).toEqual([]);
    await callers.people.follow(alice, bob);
    expect((await find(`${origin}/@bob/${closed}`)).statusIds).toEqual([closed]);
    await blockAccount(callers.as(bob), { accountId: alice.id });
    expect((await find(`${origin}/@bob/${open}`)).statusIds).toEqual([]);
    expect(names(await find(`${origin}/@bob`))).toEqual([]);
  });

  test('leads to a status of the account, and between the ids, that were asked for', async () => {
    const statusId = await post(bob, 'words of bob');
    const words = `${origin}/@bob/${statusId}`;
    const found = async (more: object) => (await find(words, more)).statusIds.length;
    expect(await found({ authorId: bob.id, minId: statusId - 1n, maxId: statusId + 1n })).toBe(1);
    for (const more of [{ authorId: alice.id }, { minId: statusId }, { maxId: statusId }])
      expect(await found(more)).toBe(0);
    expect(await found({ kind: 'statuses', offset: 1 })).toBe(0);
  });

  test('is asked of its server only where that is wanted, and by somebody with an account', async () => {
    const uri = 'https://there.example/notes/2';
    callers.addresses.set(`${uri}/page`, { statusId: await receive(uri) });
    callers.addresses.set('https://there.example/people/9', { accountId: rita.id });
    const resolve = { resolve: true };
    expect((await find(`${uri}/page`)).statusIds).toEqual([]);
    expect((await find(`${uri}/page`, resolve)).statusIds).toHaveLength(1);
    expect(names(await find('https://there.example/people/9', resolve))).toEqual(['rita']);
    expect(await find('https://there.example/nothing', resolve)).toEqual({
      accountIds: [],
      statusIds: [],
      tags: [],
      collections: [],
    });
    const stranger = await search(callers.visitor(), { words: `${uri}/page`, ...everything, ...resolve });
    expect(stranger.statusIds).toEqual([]);
  });
});

/** Otherwise than for GET /api/v1/accounts/search, which is 503. */
test.each([
  `rita@${silentHost}`,
  `https://${silentHost}/@rita`,
])('%s, whose server does not answer, leaves the results empty', async (words) => {
  expect(await find(words, { resolve: true })).toEqual({ accountIds: [], statusIds: [], tags: [], collections: [] });
});

/** Apps such as toot look somebody up so, to unblock them. */
test.each([
  ['bob', { resolve: true }, ['bob']],
  [`${origin}/@bob`, { resolve: true }, ['bob']],
  ['bo', { resolve: true }, []],
  ['bob', {}, []],
])('whom the searcher blocks is found by %s with %o: %j', async (words, more, expected) => {
  await blockAccount(callers.as(alice), { accountId: bob.id });
  expect(names(await find(words, more))).toEqual(expected);
  await blockAccount(callers.as(bob), { accountId: alice.id });
  expect(names(await find(words, more))).toEqual([]);
});

/** Exactly named ones are found: their profiles are shown, and there the mute or block is undone. */
test.each([
  ['muted', () => callers.people.mute(alice, bob), 'bo', 'bob'],
  [
    'of a blocked domain',
    () => blockDomain(callers.as(alice), { domain: 'there.example' }),
    'ri',
    'rita@there.example',
  ],
])('accounts that are %s are found by their exact names only (specification 4.3)', async (_case, hide, begin, handle) => {
  const [name] = names(await find(begin));
  await hide();
  expect(names(await find(begin))).toEqual([]);
  expect(names(await find(handle))).toEqual([name]);
  const asked = { words: begin, ...everything, forMentions: true };
  expect(namesOf(await searchForAccounts(callers.as(alice), asked))).toEqual([name]);
});

test('the end of a mute makes an account found again', async () => {
  await callers.people.mute(alice, bob, { seconds: 60 });
  expect(names(await find('bo'))).toEqual([]);
  callers.people.server.clock.advance(61_000);
  expect(names(await find('bo'))).toEqual(['bob']);
});

describe('tags', () => {
  beforeEach(async () => {
    for (const text of ['#birdwatching', '#birds #Birdhouse', '#bird', '#cat', '#bird'])
      await post(bob, `On ${text}`).then(() => callers.people.server.clock.advance(1_000));
    await post(bob, 'A #birdsecret', 'private');
  });

  test.each([
    ['bird', ['bird', 'birdhouse', 'birds', 'birdwatching']],
    ['#BIRDH', ['birdhouse']],
    ['#cats', []],
    ['@bird', []],
    ['two birds', []],
  ])('%s', async (words, expected) => {
    expect((await find(words)).tags).toEqual(expected);
    expect((await find(words, { kind: 'accounts' })).tags).toEqual([]);
  });

  test('come in pages of one kind only', async () => {
    expect((await find('bird', { kind: 'hashtags', limit: 2, offset: 1 })).tags).toEqual(['birdhouse', 'birds']);
    expect((await find('bird', { limit: 2, offset: 1 })).tags).toEqual(['bird', 'birdhouse']);
  });

  test('that nobody uses any more are not found', async () => {
    const statusId = await post(bob, '#once');
    expect((await find('once')).tags).toEqual(['once']);
    await callers.people.server.call(Account.deleteStatus.to(bob.id, { statusId, destinations: [] }));
    expect((await find('once')).tags).toEqual([]);
  });
});

test('accounts and tags are found by one word, accounts not by a sign for tags', async () => {
  await post(bob, 'On #bob');
  expect([await find('bob'), await find('#bob')].map((found) => [names(found), found.tags])).toEqual([
    [['bob'], ['bob']],
    [[], ['bob']],
  ]);
});

test('a disallowed hashtag is not proposed: it is found by its whole name only', async () => {
  await post(bob, '#marshland and #marshes');
  await setHashtagDisallowed(
    { caller: operator, services: callers.services },
    { hashtag: '#Marshes', isDisallowed: true },
  );
  expect((await find('marsh')).tags).toEqual(['marshland']);
  expect((await find('#marshes')).tags).toEqual(['marshes']);
});
