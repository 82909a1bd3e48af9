/**
 * Visibility of one author's statuses, for every viewer on every route and in every stream (behaviour of the Mastodon
 * API).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ask, idsOf, type Json, mistakesIn } from '../../support/asking.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { openStream, type StreamReader } from '../../support/stream-readers.ts';
import { type User, Users } from '../../support/users.ts';

const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;
type Visibility = (typeof visibilities)[number];

/** The blocked, the blocking and the removed had followed the author before; the muting one still does. */
const names = ['author', 'follower', 'mentioned', 'stranger', 'blocked', 'blocking', 'removed', 'muting'] as const;
type Name = (typeof names)[number];
type Viewer = Name | 'anonymous';
const viewers: readonly Viewer[] = [...names, 'anonymous'];

const channels = ['user', 'user:notification', 'public', 'public:local', 'hashtag'] as const;
type Channel = (typeof channels)[number];

let server: RunningServer;
let ask: Ask;
let people: Record<Name, User>;
let rootId: string;
let ids: Record<Visibility, string>;
const streams = new Map<string, StreamReader>();

beforeAll(async () => {
  // In one partition there is one order, so that an event which has not come before a later one never will.
  server = await startTestServer({ environment: { MURMURATION_PARTITIONS: '1' } });
  const population = await Users.of(server);
  ask = population.ask;
  people = await population.addAll(names);
  await relate();
  rootId = await post('author', 'where it begins', 'public');
  await Promise.all(names.flatMap((name) => channels.map((channel) => listen(name, channel))));
  const written: [Visibility, string][] = [];
  for (const visibility of visibilities)
    written.push([visibility, await post('author', `${visibility} words for @mentioned #secret`, visibility)]);
  ids = Object.fromEntries(written) as typeof ids;
});

afterAll(async () => {
  for (const reader of streams.values()) reader.close();
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

async function relate(): Promise<void> {
  const act = (who: Name, action: string, whom: Name) =>
    ask(people[who], 'POST', `/api/v1/accounts/${people[whom].id}/${action}`);
  for (const name of ['follower', 'blocked', 'blocking', 'removed', 'muting'] as const)
    await act(name, 'follow', 'author');
  await act('author', 'block', 'blocked');
  await act('blocking', 'block', 'author');
  await act('author', 'remove_from_followers', 'removed');
  await act('muting', 'mute', 'author');
}

/** The author's are answers to the first of them, so that they stand in a thread. */
async function post(name: Name, status: string, visibility: Visibility): Promise<string> {
  const reply = name === 'author' && rootId !== undefined ? { in_reply_to_id: rootId } : {};
  return String((await ask(people[name], 'POST', '/api/v1/statuses', { status, visibility, ...reply })).body.id);
}

async function listen(name: Name, channel: Channel): Promise<void> {
  const tag = channel === 'hashtag' ? { tag: 'secret' } : {};
  streams.set(
    `${name} ${channel}`,
    await openStream(server, 'websocket', { channel, token: people[name].token, ...tag }),
  );
}

const userOf = (viewer: Viewer) => (viewer === 'anonymous' ? undefined : people[viewer]);

type Look = (viewer: Viewer) => Promise<readonly Visibility[]>;

function found(present: readonly string[]): Visibility[] {
  return visibilities.filter((visibility) => present.includes(ids[visibility]));
}

/** Which of the four are there to be asked about. */
const each =
  (path: (id: string) => string, headers: Record<string, string> = {}): Look =>
  async (viewer) => {
    const user = userOf(viewer);
    const token = user === undefined ? {} : { token: user.token };
    const answers = await Promise.all(
      visibilities.map((visibility) => server.fetch(path(ids[visibility]), { headers, ...token })),
    );
    for (const { status } of answers) expect([200, 404]).toContain(status);
    return visibilities.filter((_visibility, index) => answers[index]!.status === 200);
  };

/** Which of the four are in a list. */
const listed =
  (path: () => string, idsIn: (body: Json) => string[] = (body) => body.map((item) => String(item.id))): Look =>
  async (viewer) => {
    const answer = await ask(userOf(viewer), 'GET', path());
    return answer.status === 404 ? [] : found(idsIn(answer.body));
  };

/** Which of the four have come in a stream, once something later has: a mention, which nobody gets of themselves. */
const streamed =
  (channel: Channel): Look =>
  async (viewer) => {
    const marker = await post('stranger', `that was all @${viewer} #secret`, 'public');
    const marked = viewer === 'stranger' && channel === 'user:notification' ? 'user' : channel;
    await streams.get(`${viewer} ${marked}`)!.next(({ payload }) => statusOf(payload) === marker);
    return found(streams.get(`${viewer} ${channel}`)!.events.map(({ payload }) => statusOf(payload)));
  };

/** Of a status, or of a notification about one. */
function statusOf(payload: unknown): string {
  const { id, status } = payload as { id: string; status?: { id: string } };
  return status?.id ?? id;
}

type Expected = Readonly<Partial<Record<Viewer, readonly Visibility[]>>>;

const all = visibilities;
const open = ['public', 'unlisted'] as const;
const followed = ['public', 'unlisted', 'private'] as const;

/** Whoever may read a status at its own address, and in its thread and on the profile. Nobody is missing. */
const readers: Expected = {
  author: all,
  follower: followed,
  mentioned: all,
  stranger: open,
  removed: open,
  muting: followed,
  anonymous: open,
};
const everybodyUnlessHidden: Expected = Object.fromEntries(
  viewers.filter((viewer) => !['blocked', 'blocking', 'muting'].includes(viewer)).map((viewer) => [viewer, ['public']]),
);
const homes: Expected = { author: all, follower: followed };
const told: Expected = { mentioned: all };

const activityJson = { accept: 'application/activity+json' };
const html = { accept: 'text/html' };
const withoutToken: Expected = Object.fromEntries(viewers.map((viewer) => [viewer, open]));

const rows: readonly [where: string, expected: Expected, look: Look][] = [
  ['at its own address', readers, each((id) => `/api/v1/statuses/${id}`)],
  ['with a context', readers, each((id) => `/api/v1/statuses/${id}/context`)],
  ['with those who favourited it', readers, each((id) => `/api/v1/statuses/${id}/favourited_by`)],
  ['with those who reblogged it', readers, each((id) => `/api/v1/statuses/${id}/reblogged_by`)],
  ['in a thread', readers, listed(() => `/api/v1/statuses/${rootId}/context`, threadIds)],
  ['on the profile', readers, listed(() => `/api/v1/accounts/${people.author.id}/statuses?limit=40`)],
  ['on the profile by tag', readers, listed(() => `/api/v1/accounts/${people.author.id}/statuses?tagged=Secret`)],
  ['in the public timeline', everybodyUnlessHidden, listed(() => '/api/v1/timelines/public?limit=40')],
  ['in the local timeline', everybodyUnlessHidden, listed(() => '/api/v1/timelines/public?local=true&limit=40')],
  ['in the timeline of its tag', everybodyUnlessHidden, listed(() => '/api/v1/timelines/tag/secret?limit=40')],
  ['as an object of ActivityPub', withoutToken, each((id) => `/users/author/statuses/${id}`, activityJson)],
  ['on its page', withoutToken, each((id) => `/@author/${id}`, html)],
];

const ownRows: readonly [where: string, expected: Expected, look: Look][] = [
  ['at home', homes, listed(() => '/api/v1/timelines/home?limit=40')],
  ['among the notifications', told, listed(() => '/api/v1/notifications?limit=80', notifiedIds)],
  ['in the stream of the user', { ...homes, ...told }, streamed('user')],
  ['in the stream of notifications', told, streamed('user:notification')],
  ['in the public stream', everybodyUnlessHidden, streamed('public')],
  ['in the local stream', everybodyUnlessHidden, streamed('public:local')],
  ['in the stream of its tag', everybodyUnlessHidden, streamed('hashtag')],
];

function threadIds({ ancestors, descendants }: Json): string[] {
  return [...ancestors!, ...descendants!].map((item) => String(item.id));
}

function notifiedIds(body: Json): string[] {
  return body.map(({ status }) => String(status?.id));
}

test.each(rows)('a status is seen %s by those who may', async (_where, expected, look) => {
  const seen = await Promise.all(viewers.map(async (viewer) => [viewer, await look(viewer)]));
  expect(Object.fromEntries(seen)).toEqual(
    Object.fromEntries(viewers.map((viewer) => [viewer, expected[viewer] ?? []])),
  );
});

test.each(ownRows)('a status is seen %s by those who may', async (_where, expected, look) => {
  const seen: [Name, readonly Visibility[]][] = [];
  for (const name of names) seen.push([name, await look(name)]);
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(names.map((name) => [name, expected[name] ?? []])));
});

test('pages never tell of what they leave out', async () => {
  const path = `/api/v1/accounts/${people.author.id}/statuses`;
  const page = await ask(people.stranger, 'GET', `${path}?limit=1&max_id=${ids.direct}`);
  expect(idsOf(page)).toEqual([ids.unlisted]);
  expect((await ask(people.blocked, 'GET', path)).body).toEqual([]);
});
