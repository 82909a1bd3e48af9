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
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { type User, Users } from '../support/users.ts';
import { cast, code, idIn, ids, type Step } from './visible-cast.ts';
import { steps } from './visible-steps.ts';

const gateways = 2;
const partitions = 4;
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
/** At least one through each gateway. */
const rounds = isLong ? 8 : gateways;
const busyPeople = 12;
const signUps = isLong ? 10 : 3;
const measurements = 100;
const placement = evenPlacement(partitions);

interface Answer {
  readonly status: number;
  readonly body: Json;
}

type AskThrough = (who: User | undefined, method: string, path: string, json?: unknown) => Promise<Answer>;

let server: RunningServer;
let people: Users;
/** One connection to each gateway thread. */
let doors: readonly AskThrough[];
const connections: Client[] = [];
/** Each in a partition of its own. */
let alice: User;
let bob: User;
let locked: User;
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
  people = await Users.of(server);
  doors = await openDoors();
  const inPartition: User[] = [];
  for (let number = 0; inPartition.filter(Boolean).length < partitions; number += 1) {
    const person = await people.add(`person_${number}`);
    inPartition[placement.partitionOf(slotOfId(parseId(person.id)!))] ??= person;
  }
  [alice, bob, locked] = inPartition as [User, User, User, User];
  Object.assign(cast, { alice, bob, locked });
  await people.ask(locked, 'PATCH', '/api/v1/accounts/update_credentials', { locked: true });
  for (let number = 0; number < busyPeople; number += 1) {
    const person = await people.add(`busy_${number}`);
    busy.push(keepBusy(person));
  }
});

afterAll(async () => {
  isBusy = false;
  await Promise.all(busy);
  await Promise.all(connections.map((connection) => connection.close()));
  expect(busyPosts).toBeGreaterThan(busyPeople);
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

async function keepBusy(person: User): Promise<void> {
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
      path: path.startsWith('/') ? path : `/api/v1/${path}`,
      headers: {
        ...(who === undefined ? {} : { authorization: `Bearer ${who.token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: statusCode, body: (await body.json()) as Json };
  };
}

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
  for (const place of unseen) counted.set(place, (counted.get(place) ?? 0) + 1);
  expect(Object.fromEntries(counted)).toEqual({});
});

test('who has just signed up can sign in at once', async () => {
  for (let number = 0; number < signUps; number += 1) {
    const { username } = await people.add(`newcomer_${number}`);
    const login = { username: `${username}@users.test`, password: `${username}-password` };
    const grant = { grant_type: 'password', scope: 'read', ...people.client, ...login };
    const { status: answered, text } = await people.ask(undefined, 'POST', '/oauth/token', grant);
    expect([answered, text]).toEqual([200, expect.stringContaining('access_token')]);
  }
});

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

// Among the long tests, because what it finds is a figure.
if (isLong)
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
  });
