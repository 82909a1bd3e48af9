/**
 * Cached newest pages and cached decisions about list entries: every change is visible at once, compared with a gateway
 * without caches.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import type { Answer } from '../../../src/gateway/http/answers.ts';
import type { UserContext } from '../../../src/gateway/http/context.ts';
import type { Grant } from '../../../src/gateway/http/grant.ts';
import { getConversations } from '../../../src/gateway/rest/conversations/conversations.endpoints.ts';
import { getNotifications } from '../../../src/gateway/rest/notifications/get-notifications.ts';
import { getGroups } from '../../../src/gateway/rest/notifications/grouped-notifications.ts';
import type { Endpoint } from '../../../src/gateway/route.ts';
import { edit, type Post, publication } from '../../support/acts.ts';
import { cachesOf, measuredCaches } from '../../support/caches.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';
import { origin } from '../../support/services.ts';

const hour = 60 * 60;

let people: People;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
let judy: Person;
let post: Post;
let letter: Post;
let filterId: bigint;
let services: GatewayServices;

beforeEach(async () => {
  people = new People();
  [alice, bob, carol, dave] = ['alice', 'bob', 'carol', 'dave'].map((name) => people.local(name)) as [
    Person,
    Person,
    Person,
    Person,
  ];
  judy = people.remote('judy', 'elsewhere.example');
  const poll = { options: ['tea', 'coffee'], multiple: false, hideTotals: false, expiresInSeconds: hour };
  post = await people.publish(alice, { text: 'my cat' });
  letter = await people.publish(bob, { text: 'about a dog', visibility: 'direct', mentions: [alice, carol], poll });
  await people.receive(judy, 'https://elsewhere.example/1', { visibility: 'direct', mentions: [alice] });
  await people.follow(carol, alice);
  for (const person of [bob, carol, judy]) await people.favourite(person, post);
  ({ filterId } = await people.server.call(
    Account.changeFilter.to(alice.id, {
      changes: { title: 'None yet', contexts: ['notifications'], action: 'warn', expiresInSeconds: 2 * hour },
      keywords: [],
    }),
  ));
  people.server.settle();
  services = presenting(people.server);
});

interface List {
  readonly endpoint: Endpoint<GatewayServices>;
  /** As those of the same query: one object. */
  readonly parameters: ReturnType<Endpoint<GatewayServices>['validate']>;
}

function listOf(endpoint: Endpoint<GatewayServices>, given: Record<string, string> = {}): List {
  return { endpoint, parameters: endpoint.validate(given) };
}

const lists = {
  conversations: listOf(getConversations),
  notifications: listOf(getNotifications),
  groups: listOf(getGroups),
  'groups with pictures': listOf(getGroups, { expand_accounts: 'partial_avatars' }),
} satisfies Record<string, List>;
type Name = keyof typeof lists;
const names = Object.keys(lists) as Name[];

/** Pages that are not kept; their entries are. */
const olderLists: readonly List[] = [getConversations, getNotifications, getGroups].map((endpoint) =>
  listOf(endpoint, { max_id: '9000000000000000000' }),
);

function answerOfList(
  { endpoint, parameters }: List,
  by = services,
  dialect: Grant['dialect'] = 'specification',
): Answer {
  const context = {
    services: by,
    request: { origin, path: endpoint.path, query: '', parameterNames: endpoint.parameterNames },
    grant: { accountId: alice.id, dialect },
  };
  const answer = endpoint.respond(context as unknown as UserContext<GatewayServices>, parameters);
  expect(answer).not.toBeInstanceOf(Promise);
  return answer as Answer;
}

const answerOf = (name: Name, by?: GatewayServices) => answerOfList(lists[name], by);
const textOf = ({ body }: Answer) => Buffer.from(body as Uint8Array).toString();
const shown = (name: Name, by?: GatewayServices) => {
  const answer = answerOf(name, by);
  return { text: textOf(answer), headers: answer.headers };
};
const isKept = (name: Name) => {
  const { body } = answerOf(name);
  return answerOf(name).body === body;
};

/** Until each answer is given with the bytes of the one before. */
function keepAll(): void {
  for (const name of names) for (let count = 0; count < 2; count += 1) answerOf(name);
  expect(names.filter((name) => !isKept(name))).toEqual([]);
  for (const list of olderLists) for (let count = 0; count < 2; count += 1) answerOfList(list);
}

function expectTruth(): void {
  const fresh = presenting(people.server);
  for (let count = 0; count < 3; count += 1)
    for (const name of names) expect(shown(name), name).toEqual(shown(name, fresh));
  for (const list of olderLists) expect(textOf(answerOfList(list))).toBe(textOf(answerOfList(list, fresh)));
}

test('a page is kept for each dialect', () => {
  keepAll();
  for (const name of names) {
    const asked = (dialect: Grant['dialect'], by?: GatewayServices) => textOf(answerOfList(lists[name], by, dialect));
    for (const dialect of ['mastodon', 'specification', 'mastodon'] as const)
      expect(asked(dialect), name).toBe(asked(dialect, presenting(people.server)));
  }
});

const later = (seconds: number) => people.server.clock.advance(seconds * 1_000);
const newestId = () => JSON.parse(textOf(answerOf('notifications')))[0].id as string;
const call = (message: Parameters<typeof people.server.call>[0]) => people.server.call(message);

const everywhere: readonly Name[] = names;
const notified: readonly Name[] = ['notifications', 'groups', 'groups with pictures'];

/** What happens, and the lists that then show something else. */
const changes: readonly (readonly [what: string, lists: readonly Name[], act: () => unknown])[] = [
  ['somebody favourites', notified, () => people.favourite(dave, post)],
  ['somebody writes', everywhere, () => people.publish(carol, { visibility: 'direct', mentions: [alice] })],
  ['a favourite is undone', notified, () => people.unfavourite(carol, post)],
  [
    'a notification is dismissed',
    notified,
    () => call(Account.dismissNotification.to(alice.id, { notificationId: BigInt(newestId()) })),
  ],
  ['all are cleared', notified, () => call(Account.clearNotifications.to(alice.id, {}))],
  [
    'a conversation is read',
    ['conversations'],
    () => call(Account.readConversation.to(alice.id, { threadId: letter.id })),
  ],
  [
    'a conversation is removed',
    ['conversations'],
    () => call(Account.removeConversation.to(alice.id, { threadId: letter.id })),
  ],
  ['a status is edited', everywhere, () => call(edit(letter, { text: 'about a cat', mentions: [alice, carol] }))],
  ['a status is deleted', everywhere, () => people.remove(letter)],
  [
    'somebody votes',
    everywhere,
    () => call(Account.vote.to(bob.id, { statusId: letter.id, by: alice.id, choices: [1] })),
  ],
  ['a poll ends', everywhere, () => later(hour + 1)],
  ['somebody has another name', everywhere, () => people.change(bob, { displayName: 'Robert' })],
  ['somebody who wrote nothing has another name', everywhere, () => people.change(carol, { displayName: 'Caroline' })],
  [
    'somebody remote has another picture',
    everywhere,
    () => people.learn(judy, { avatar: 'https://elsewhere.example/new.png' }),
  ],
  ['the user has another name', notified, () => people.change(alice, { displayName: 'Alicia' })],
  ['the user bookmarks', everywhere, () => call(Account.bookmark.to(alice.id, { statusId: letter.id }))],
  ['the user favourites', everywhere, () => people.favourite(alice, letter)],
  ['the user mutes the thread', everywhere, () => call(Account.muteThread.to(alice.id, { threadId: letter.id }))],
  ['the user blocks', everywhere, () => people.block(alice, bob)],
  ['the user is blocked', everywhere, () => people.block(bob, alice)],
  ['the user mutes', notified, () => people.mute(alice, bob)],
  [
    'the user hides a domain',
    notified,
    () => call(Account.blockDomain.to(alice.id, { domain: 'elsewhere.example', followed: [] })),
  ],
  ['somebody is suspended', everywhere, () => people.suspend(judy)],
  [
    'a filter matches',
    everywhere,
    () =>
      call(
        Account.changeFilter.to(alice.id, { filterId, changes: {}, keywords: [{ keyword: 'dog', wholeWord: true }] }),
      ),
  ],
];

describe('what is seen at once', () => {
  test.each(changes)('%s', async (_what, concerned, act) => {
    keepAll();
    const before = new Map(names.map((name) => [name, shown(name).text]));
    await act();
    people.server.settle();
    expectTruth();
    expect(names.filter((name) => shown(name).text !== before.get(name))).toEqual(concerned);
  });
});

/** What hides something, and how it comes back. */
const returns: readonly (readonly [what: string, hide: () => unknown, show: () => unknown])[] = [
  ['a mute is taken back', () => people.mute(alice, bob), () => people.unmute(alice, bob)],
  ['a mute ends', () => people.mute(alice, bob, { seconds: 60 }), () => later(61)],
  ['a block is taken back', () => people.block(judy, alice), () => people.unblock(judy, alice)],
  [
    'a domain is shown again',
    () => call(Account.blockDomain.to(alice.id, { domain: 'elsewhere.example', followed: [] })),
    () => call(Account.unblockDomain.to(alice.id, { domain: 'elsewhere.example' })),
  ],
  [
    'somebody is no longer suspended',
    () => people.moderate(judy, { suspendedAt: 1 }),
    () => people.moderate(judy, { suspendedAt: undefined }),
  ],
  [
    'a filter ends that drops',
    () =>
      call(
        Account.changeFilter.to(alice.id, {
          filterId,
          changes: { isIrreversible: true, action: 'hide', expiresInSeconds: 60 },
          keywords: [{ keyword: 'dog', wholeWord: true }],
        }),
      ),
    () => later(61),
  ],
];

test.each(returns)('what was hidden is shown at once when %s', async (_what, hide, show) => {
  keepAll();
  const before = shown('notifications').text;
  await hide();
  people.server.settle();
  expectTruth();
  expect(shown('notifications').text).not.toBe(before);
  await show();
  people.server.settle();
  expectTruth();
  expect(shown('notifications').text.length).toBe(before.length);
});

describe('of the entries of a list', () => {
  const entriesOf = (list: 'notifications' | 'conversations') => services[list].newest(alice.id).entries;
  const decisionsOf = (list: 'notifications' | 'conversations') => {
    answerOf(list);
    return entriesOf(list).map(({ decision }) => decision);
  };

  test.each([
    ['notifications', 'a stranger writes', () => people.publish(dave, { visibility: 'direct', mentions: [alice] })],
    ['conversations', 'a stranger writes', () => people.publish(dave, { visibility: 'direct', mentions: [alice] })],
    ['conversations', 'somebody goes on', () => people.publish(bob, { mentions: [alice], replyTo: letter })],
    ['conversations', 'one is read', () => call(Account.readConversation.to(alice.id, { threadId: letter.id }))],
  ] as const)('only one of the %s is decided anew when %s', async (list, _what, act) => {
    keepAll();
    const before = decisionsOf(list);
    expect(before).not.toContain(undefined);
    await act();
    people.server.settle();
    decisionsOf(list);
    const after = decisionsOf(list);
    expect(after).not.toContain(undefined);
    expect(after.filter((decision) => !before.includes(decision))).toHaveLength(1);
    expectTruth();
  });
});

test.each<[string, () => Record<string, string>]>([
  ['what storage was read for', () => ({ include_filtered: 'true' })],
  ['older pages', () => ({ max_id: newestId() })],
  ['what came since', () => ({ since_id: '1' })],
  ['what came next', () => ({ min_id: '1' })],
])('%s is not kept', (_what, given) => {
  const list = listOf(getNotifications, given());
  const bodies = [1, 2, 3, 4].map(() => answerOfList(list).body);
  expect(new Set(bodies).size).toBe(4);
});

test('whether a follow decides is asked each time', async () => {
  const written = publication({ text: 'quote me', mentions: [alice] });
  await call(Account.publish.to(bob.id, { ...written, quoteApproval: { automatic: ['followers'], manual: [] } }));
  people.server.settle();
  expectTruth();
  const permission = () => /"quote_approval":[^}]*"current_user":"(\w+)"/.exec(shown('notifications').text)?.[1];
  expect(permission()).toBe('denied');
  await people.follow(alice, bob);
  people.server.settle();
  expect(permission()).toBe('automatic');
  expectTruth();
});

test('what is kept counts, and keeps to its bound', () => {
  const { caches, bytesOf } = measuredCaches();
  services = presenting(people.server, caches);
  keepAll();
  const bytes = names.reduce((sum, name) => sum + textOf(answerOf(name)).length, 0);
  expect(bytesOf('pages')).toBeGreaterThan(bytes);
  expect(bytesOf('pages')).toBeLessThan(2 * bytes + 4_000);
  services = presenting(people.server, cachesOf({ pages: 1_000 }));
  expectTruth();
});

test('after lost events every page is made anew', () => {
  keepAll();
  const before = new Map(names.map((name) => [name, answerOf(name).body]));
  services.events.dispatchLoss();
  for (const name of names) expect(answerOf(name).body).not.toBe(before.get(name));
  expectTruth();
});
