/**
 * An answer means "visible": once a call is answered, the caller and the one account that it acted upon see the effect,
 * on every gateway, in lists, counts and notifications. Asked at once, from other connections, while others keep the
 * server busy. What reaches homes of followers and public lists later has its delay printed.
 */
import { Client } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId, slotOfId } from '../../src/runtime/ids.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { type Json, mistakesIn } from '../support/asking.ts';
import { People, type Person } from '../support/people.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const gateways = 2;
const partitions = 4;
const rounds = 4;
const busyPeople = 12;
const signUps = 10;
const measurements = 100;
const placement = evenPlacement(partitions);

interface Answer {
  readonly status: number;
  readonly body: Json;
}

type AskThrough = (who: Person | undefined, method: string, path: string, json?: unknown) => Promise<Answer>;

let server: RunningServer;
let people: People;
/** One connection to each gateway thread. */
let doors: readonly AskThrough[];
const connections: Client[] = [];
/** Each in a partition of its own. */
let alice: Person;
let bob: Person;
let locked: Person;
let isBusy = true;
const busy: Promise<void>[] = [];
let busyPosts = 0;

beforeAll(async () => {
  server = await startTestServer({
    environment: {
      MURMURATION_GATEWAYS: String(gateways),
      MURMURATION_OWNERS: '2',
      MURMURATION_PARTITIONS: String(partitions),
      MURMURATION_OAUTH_PASSWORD_GRANT: 'on',
    },
  });
  people = await People.of(server);
  doors = await openDoors();
  const inPartition: Person[] = [];
  for (let number = 0; inPartition.filter(Boolean).length < partitions; number += 1) {
    const person = await people.add(`person_${number}`);
    inPartition[placement.partitionOf(slotOfId(parseId(person.id)!))] ??= person;
  }
  [alice, bob, locked] = inPartition as [Person, Person, Person, Person];
  await people.ask(locked, 'PATCH', '/api/v1/accounts/update_credentials', { locked: true });
  for (let number = 0; number < busyPeople; number += 1) {
    const person = await people.add(`busy_${number}`);
    busy.push(keepBusy(person));
  }
}, 60_000);

afterAll(async () => {
  isBusy = false;
  await Promise.all(busy);
  await Promise.all(connections.map((connection) => connection.close()));
  expect(busyPosts).toBeGreaterThan(busyPeople);
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

async function keepBusy(person: Person): Promise<void> {
  while (isBusy) {
    const status = `@${alice.username} words of ${person.username}, ${busyPosts}`;
    await people.ask(person, 'POST', '/api/v1/statuses', { status, visibility: 'unlisted' });
    await people.ask(person, 'GET', '/api/v1/timelines/public');
    busyPosts += 1;
  }
}

/** The kernel chooses the thread of a connection; ids of requests begin alike on one thread. */
async function openDoors(): Promise<AskThrough[]> {
  const byThread = new Map<string, AskThrough>();
  while (byThread.size < gateways) {
    const connection = new Client(server.origin, { pipelining: 1 });
    connections.push(connection);
    const { headers, body } = await connection.request({ method: 'GET', path: '/api/v1/instance' });
    await body.dump();
    const [thread] = String(headers['x-request-id']).split('-');
    byThread.set(thread!, through(connection));
  }
  return [...byThread.values()];
}

function through(connection: Client): AskThrough {
  return async (who, method, path, json) => {
    const { statusCode, body } = await connection.request({
      method: method as 'GET',
      path: `/api/v1/${path}`,
      headers: {
        ...(who === undefined ? {} : { authorization: `Bearer ${who.token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: statusCode, body: (await body.json()) as Json };
  };
}

/** What somebody sees at an address: a part of the answer, and what it must be. */
type Sight = readonly [
  who: () => Person,
  path: () => string,
  part: (body: Json, status: number) => unknown,
  expected: unknown,
];

interface Step {
  readonly what: string;
  readonly act: readonly [who: () => Person, method: string, path: () => string, json?: () => unknown];
  readonly seen: readonly Sight[];
}

const me = () => alice;
const other = () => bob;
const shy = () => locked;
/** Ids of the statuses of this round, by their names. */
const ids: Record<string, string> = {};

const idIn = (body: Json): string[] => body.map(({ id }) => String(id));
const has = (person: () => Person) => (body: Json) => idIn(body).includes(person().id);
const hasStatus = (name: string) => (body: Json) => idIn(body).includes(ids[name]!);
const relationship = (whom: () => Person) => () => `accounts/relationships?id[]=${whom().id}`;
const relation = (name: string) => (body: Json) => Boolean(body[0]![name]);
const account =
  (whom: () => Person, list = '') =>
  () =>
    `accounts/${whom().id}${list}`;
const status =
  (name: string, list = '') =>
  () =>
    `statuses/${ids[name]}${list}`;
const field = (name: string) => (body: Json) => body[name];
const code = (_body: Json, answered: number) => answered;
const notified = (type: string, from: () => Person) => (body: Json) =>
  body.some((item) => String(item.type) === type && String(item.account!.id) === from().id);
const notifications = (type: string) => () => `notifications?types[]=${type}&limit=5`;
const descendants = (body: Json) => idIn(body.descendants!);
const action = (whom: () => Person, name: string) => [me, 'POST', account(whom, `/${name}`)] as const;
const on = (name: string, what: string) => [me, 'POST', status(name, `/${what}`)] as const;

const follow = (what: string, whom: () => Person, seen: { following: boolean; requested: boolean }): Step => ({
  what,
  act: action(whom, what.split(' ')[0]!),
  seen: [
    [me, relationship(whom), relation('following'), seen.following],
    [me, relationship(whom), relation('requested'), seen.requested],
    [whom, relationship(me), relation('followed_by'), seen.following],
    [whom, account(whom, '/followers'), has(me), seen.following],
    [me, account(me, '/following'), has(whom), seen.following],
    [whom, account(whom), field('followers_count'), seen.following ? 1 : 0],
    [me, account(me), field('following_count'), seen.following ? 1 : 0],
    ...(seen.following ? [[whom, notifications('follow'), notified('follow', me), true] as const] : []),
  ],
});

const answerRequest = (what: string, path: (name: string) => string, following: boolean): Step => ({
  what,
  act: [shy, 'POST', () => path(alice.id)],
  seen: [
    [me, relationship(shy), relation('following'), following],
    [me, relationship(shy), relation('requested'), false],
    [me, account(me, '/following'), has(shy), following],
    [me, account(me), field('following_count'), following ? 1 : 0],
    [shy, relationship(me), relation('followed_by'), following],
    [shy, () => 'follow_requests', has(me), false],
    [shy, account(shy), field('followers_count'), following ? 1 : 0],
  ],
});

const request: Step = {
  what: 'follow of a locked account',
  act: action(shy, 'follow'),
  seen: [
    [me, relationship(shy), relation('requested'), true],
    [shy, () => 'follow_requests', has(me), true],
    [shy, notifications('follow_request'), notified('follow_request', me), true],
    [shy, relationship(me), relation('requested_by'), true],
  ],
};

const interaction = (what: string, count: string, list: string, is: boolean, type: string): Step => ({
  what,
  act: on('of bob', what),
  seen: [
    [me, status('of bob'), field(type === 'favourite' ? 'favourited' : 'reblogged'), is],
    [other, status('of bob'), field(count), is ? 1 : 0],
    [other, status('of bob', `/${list}`), has(me), is],
    ...(type === 'favourite' ? [[me, () => 'favourites', hasStatus('of bob'), is] as const] : []),
    [other, notifications(type), notified(type, me), is],
  ],
});

const blocking = (what: string, is: boolean): Step => ({
  what,
  act: action(other, what),
  seen: [
    [me, relationship(other), relation('blocking'), is],
    [me, () => 'blocks', has(other), is],
    [other, relationship(me), relation('blocked_by'), is],
    [other, status('of alice'), code, is ? 404 : 200],
    [other, () => 'timelines/public', hasStatus('of alice'), !is],
  ],
});

const posting = (name: string, who: () => Person, json: () => object, seen: readonly Sight[]): Step => ({
  what: `post ${name}`,
  act: [who, 'POST', () => 'statuses', json],
  seen: [
    [who, () => 'timelines/home', hasStatus(name), true],
    [who, account(who, '/statuses'), hasStatus(name), true],
    ...seen,
  ],
});

const steps: readonly Step[] = [
  posting('of alice', me, () => ({ status: 'words of alice' }), []),
  posting('of bob', other, () => ({ status: 'words of bob' }), []),
  follow('follow', other, { following: true, requested: false }),
  follow('unfollow', other, { following: false, requested: false }),
  request,
  answerRequest('rejection of a request', (id) => `follow_requests/${id}/reject`, false),
  request,
  answerRequest('authorisation', (id) => `follow_requests/${id}/authorize`, true),
  answerRequest('removal of a follower', (id) => `accounts/${id}/remove_from_followers`, false),
  interaction('favourite', 'favourites_count', 'favourited_by', true, 'favourite'),
  interaction('unfavourite', 'favourites_count', 'favourited_by', false, 'favourite'),
  interaction('reblog', 'reblogs_count', 'reblogged_by', true, 'reblog'),
  interaction('unreblog', 'reblogs_count', 'reblogged_by', false, 'reblog'),
  posting('the reply', me, () => ({ status: `@${bob.username} an answer`, in_reply_to_id: ids['of bob'] }), [
    [other, status('of bob', '/context'), (body) => descendants(body).includes(ids['the reply']!), true],
    [other, status('of bob'), field('replies_count'), 1],
    [
      other,
      notifications('mention'),
      (body) => body.some((item) => item.status?.id === (ids['the reply'] as never)),
      true,
    ],
  ]),
  {
    what: 'edit',
    act: [me, 'PUT', status('the reply'), () => ({ status: `@${bob.username} another answer` })],
    seen: [
      [other, status('of bob', '/context'), (body) => String(body.descendants![0]!.content).includes('another'), true],
    ],
  },
  {
    what: 'deletion of the reply',
    act: [me, 'DELETE', status('the reply')],
    seen: [
      [other, status('of bob', '/context'), descendants, []],
      [other, status('of bob'), field('replies_count'), 0],
      [other, status('the reply'), code, 404],
      [me, () => 'timelines/home', hasStatus('the reply'), false],
    ],
  },
  posting('a mention', me, () => ({ status: `@${bob.username} between us`, visibility: 'direct' }), [
    [
      other,
      notifications('mention'),
      (body) => body.some((item) => item.status?.id === (ids['a mention'] as never)),
      true,
    ],
    [other, status('a mention'), code, 200],
  ]),
  blocking('block', true),
  blocking('unblock', false),
  {
    what: 'mute',
    act: action(other, 'mute'),
    seen: [
      [me, relationship(other), relation('muting'), true],
      [me, () => 'mutes', has(other), true],
      [me, () => 'timelines/public', hasStatus('of bob'), false],
    ],
  },
  {
    what: 'unmute',
    act: action(other, 'unmute'),
    seen: [
      [me, relationship(other), relation('muting'), false],
      [me, () => 'timelines/public', hasStatus('of bob'), true],
    ],
  },
  {
    what: 'change of the profile',
    act: [me, 'PATCH', () => 'accounts/update_credentials', () => ({ display_name: `Alice ${ids['of alice']}` })],
    seen: [
      [other, account(me), (body) => String(body.display_name).endsWith(ids['of alice']!), true],
      [other, status('of alice'), (body) => String(body.account!.display_name).endsWith(ids['of alice']!), true],
    ],
  },
  {
    what: 'clearing of the notifications',
    act: [other, 'POST', () => 'notifications/clear'],
    seen: [[other, () => 'notifications', (body) => body.length, 0]],
  },
  {
    what: 'deletion',
    act: [me, 'DELETE', status('of alice')],
    seen: [
      [other, status('of alice'), code, 404],
      [other, account(me, '/statuses'), hasStatus('of alice'), false],
      [other, () => 'timelines/public', hasStatus('of alice'), false],
    ],
  },
];

/** Acts through one gateway, and looks through both at once; the sights that were not as expected. */
async function take(step: Step, door: AskThrough): Promise<string[]> {
  const [who, method, path, json] = step.act;
  const answer = await door(who(), method, path(), json?.());
  if (answer.status !== 200) return [`${step.what}: ${answer.status} ${JSON.stringify(answer.body)}`];
  if (step.what.startsWith('post ')) ids[step.what.slice(5)] = String(answer.body.id);
  const looks = doors.flatMap((look, gateway) =>
    step.seen.map(async ([viewer, at, part, expected]) => {
      const { body, status: answered } = await look(viewer(), 'GET', at());
      const found = answered === 200 || part === code ? part(body, answered) : body;
      if (JSON.stringify(found) === JSON.stringify(expected)) return [];
      const through = look === door ? 'the same gateway' : `gateway ${gateway}`;
      return [`${step.what}: at ${at().replace(/\d{6,}/g, ':id')} through ${through} ${JSON.stringify(found)}`];
    }),
  );
  return (await Promise.all(looks)).flat();
}

test('what a call changed is seen at once by the caller and by the account that it acted upon, on every gateway', async () => {
  const unseen: string[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const step of steps) unseen.push(...(await take(step, doors[round % gateways]!)));
  const counted = new Map<string, number>();
  for (const sight of unseen) counted.set(sight, (counted.get(sight) ?? 0) + 1);
  expect(Object.fromEntries(counted)).toEqual({});
}, 120_000);

test('who has just signed up can sign in at once', async () => {
  for (let number = 0; number < signUps; number += 1) {
    const { username } = await people.add(`newcomer_${number}`);
    const login = { username: `${username}@users.test`, password: `${username}-password` };
    const grant = { grant_type: 'password', scope: 'read', ...people.client, ...login };
    const { status: answered, text } = await people.ask(undefined, 'POST', '/oauth/token', grant);
    expect([answered, text]).toEqual([200, expect.stringContaining('access_token')]);
  }
}, 60_000);

/** Milliseconds, by what was done. */
async function measured(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]! * 10) / 10;
}

test('what is not awaited arrives soon after: the delay until a post is in the home of a follower, and what waiting costs', async () => {
  const [door] = doors as [AskThrough, AskThrough];
  const post = async (json: object) => String((await door(bob, 'POST', 'statuses', json)).body.id);
  await door(alice, 'POST', `accounts/${bob.id}/follow`);
  const parentOfAlice = String((await door(alice, 'POST', 'statuses', { status: 'a parent' })).body.id);
  const delays: number[] = [];
  const plain: number[] = [];
  const replies: number[] = [];
  for (let number = 0; number < measurements; number += 1) {
    let id = '';
    plain.push(await measured(async () => (id = await post({ status: `plain ${number}` }))));
    const isThere = async () => idIn((await door(alice, 'GET', 'timelines/home')).body).includes(id);
    delays.push(await measured(() => until(isThere, { description: 'the post in the home of a follower' })));
    replies.push(await measured(() => post({ status: `reply ${number}`, in_reply_to_id: parentOfAlice })));
  }
  const figures = {
    'home of a follower, ms after the answer': { p50: quantile(delays, 0.5), p99: quantile(delays, 0.99) },
    'answer to a post, ms': { p50: quantile(plain, 0.5), p99: quantile(plain, 0.99) },
    'answer to a reply, ms': { p50: quantile(replies, 0.5), p99: quantile(replies, 0.99) },
  };
  console.info(`under load, ${measurements} posts each: ${JSON.stringify(figures)}`);
  expect(delays).toHaveLength(measurements);
}, 60_000);
