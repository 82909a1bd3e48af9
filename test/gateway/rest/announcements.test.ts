/** Announcements (specification 4.10; behaviour of the Mastodon API): published by command, read, dismissed, reacted to. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { customEmojis } from '../../../src/actors/instance/instance.state.ts';
import { instanceLimits } from '../../../src/actors/instance/limits.ts';
import {
  announced,
  announcementReacted,
  announcementWithdrawn,
} from '../../../src/actors/partition/partition.events.ts';
import { announcementEndpoints } from '../../../src/gateway/rest/announcements/announcements.endpoints.ts';
import { statusEndpoints } from '../../../src/gateway/rest/statuses/statuses.endpoints.ts';
import { issueToken } from '../../../src/operations/applications/issue-token.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { addPerson, startGateway } from '../oauth/people.ts';
import { typed } from '../operator/typing.ts';

let gateway: TestGateway;
let alice: string;
let bob: string;
/** What each partition's log says of announcements. */
let logged: { partition: number; event: number; body: unknown }[];

beforeEach(async () => {
  gateway = startGateway({ endpoints: [...announcementEndpoints, ...statusEndpoints] });
  [alice, bob] = [await tokenOf('alice'), await tokenOf('bob')];
  logged = [];
  const numbers = [announced, announcementReacted, announcementWithdrawn].map(({ number }) => number);
  gateway.services.events.subscribe(({ partition, events }) => {
    for (const { event, body } of events) if (numbers.includes(event)) logged.push({ partition, event, body });
  });
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

async function tokenOf(username: string): Promise<string> {
  const accountId = await addPerson(gateway, username);
  const rights = { clientId: 'c', applicationId: 7n, scopes: ['read', 'write'], dialect: 'mastodon' as const };
  return (await issueToken(gateway.services, { ...rights, accountId })).token;
}

const type = (line: string) => typed(gateway.services, line);

async function publish(line: string): Promise<string> {
  const { printed, complaints } = await type(`announcements publish ${line}`);
  expect(complaints).toEqual([]);
  return /(\d+)\.$/.exec(printed[0]!)![1]!;
}

interface Shown {
  readonly id: string;
  readonly read: boolean;
  readonly reactions: readonly object[];
}

async function listed(token: string): Promise<Shown[]> {
  const { status, body } = await gateway.json<Shown[]>('/api/v1/announcements', { token });
  expect(status).toBe(200);
  return body;
}

const change = (token: string, method: string, path: string) =>
  gateway.json(`/api/v1/announcements/${path}`, { token, method });
const reaction = (id: string, name: string) => `${id}/reactions/${encodeURIComponent(name)}`;
const said = (events: readonly { event: number; body: unknown }[]) => events.map(({ event, body }) => [event, body]);

test('what is announced has all that its text names', async () => {
  const post = { status: 'a post', visibility: 'public' };
  const { body: status } = await gateway.json('/api/v1/statuses', { token: alice, json: post });
  const line = `"Ask @bob about #Birds: https://social.example/@alice/${status.id}" --starts-at 2025-02-01 --ends-at 2025-02-03T10:00Z --all-day`;
  const id = await publish(line);
  const [shown] = await listed(alice);
  expect(shown).toMatchObject({
    id,
    starts_at: '2025-02-01T00:00:00.000Z',
    ends_at: '2025-02-03T10:00:00.000Z',
    all_day: true,
    published_at: '2025-01-01T12:00:00.000Z',
    updated_at: '2025-01-01T12:00:00.000Z',
    read: false,
    mentions: [{ username: 'bob', acct: 'bob', url: 'https://social.example/@bob' }],
    statuses: [{ id: status.id, url: `https://social.example/@alice/${status.id}` }],
    tags: [{ name: 'birds', url: 'https://social.example/tags/birds' }],
    emojis: [],
    reactions: [],
  });
  expect((await gateway.json('/api/v1/announcements')).status).toBe(401);
});

test('what somebody dismisses is read, for them alone', async () => {
  const [first, second] = [await publish('First'), await publish('Second')];
  expect(await change(alice, 'POST', `${first}/dismiss`)).toEqual({ status: 200, body: {} });
  const readBy = async (token: string) => (await listed(token)).map(({ id, read }) => [id, read]);
  expect(await readBy(alice)).toEqual([
    [first, true],
    [second, false],
  ]);
  expect(await readBy(bob)).toEqual([
    [first, false],
    [second, false],
  ]);
});

test('a change is told to everybody, and keeps what is not given', async () => {
  const id = await publish('"At eight" --starts-at 2025-02-01 --ends-at 2025-02-03');
  expect((await type('announcements list')).printed).toEqual([
    `${id}  At eight  (from 2025-02-01T00:00:00.000Z until 2025-02-03T00:00:00.000Z)`,
  ]);
  gateway.actors.clock.advance(60_000);
  await type(`announcements change ${id} --text "At nine" --ends-at never`);
  expect((await listed(alice))[0]).toMatchObject({
    content: '<p>At nine</p>',
    starts_at: '2025-02-01T00:00:00.000Z',
    ends_at: null,
    published_at: '2025-01-01T12:00:00.000Z',
    updated_at: '2025-01-01T12:01:00.000Z',
  });
  const body = { announcementId: BigInt(id) };
  const { number } = announced;
  expect(logged.sort((one, other) => one.partition - other.partition)).toEqual([
    { partition: 0, event: number, body },
    { partition: 0, event: number, body },
    { partition: 1, event: number, body },
    { partition: 1, event: number, body },
  ]);
});

describe('an end', () => {
  const dayMilliseconds = 24 * 60 * 60 * 1_000;

  test('withdraws the announcement by itself, once in each log', async () => {
    const id = await publish('Soon --ends-at 2025-01-02T12:00Z');
    logged.length = 0;
    gateway.actors.clock.advance(dayMilliseconds - 1);
    expect(await listed(alice)).toHaveLength(1);
    gateway.actors.clock.advance(1);
    expect(await listed(alice)).toEqual([]);
    const gone = [announcementWithdrawn.number, { announcementId: BigInt(id) }];
    expect(said(logged)).toEqual([gone, gone]);
  });

  test('that was moved does not come at the former time', async () => {
    const id = await publish('Soon --ends-at 2025-01-02T12:00Z');
    await type(`announcements change ${id} --ends-at 2025-01-03T12:00Z`);
    gateway.actors.clock.advance(dayMilliseconds);
    expect(await listed(alice)).toHaveLength(1);
    gateway.actors.clock.advance(dayMilliseconds);
    expect(await listed(alice)).toEqual([]);
  });
});

describe('reactions', () => {
  test('are counted once each, shown with whose they are, and taken back', async () => {
    const id = await publish('Birds');
    for (const token of [alice, alice, bob])
      expect(await change(token, 'PUT', reaction(id, '🐦'))).toEqual({ status: 200, body: {} });
    gateway.actors.clock.advance(1);
    await change(bob, 'PATCH', reaction(id, '❤'));
    expect((await listed(alice))[0]!.reactions).toEqual([
      { name: '🐦', count: 2, me: true },
      { name: '❤', count: 1, me: false },
    ]);
    expect((await change(alice, 'DELETE', reaction(id, '🐦'))).status).toBe(200);
    await change(bob, 'DELETE', reaction(id, '❤'));
    expect((await listed(alice))[0]!.reactions).toEqual([{ name: '🐦', count: 1, me: false }]);
    expect((await change(alice, 'DELETE', reaction(id, '🐦'))).status).toBe(404);
  });

  test('may be custom emojis of this server', async () => {
    const emoji = {
      shortcode: 'blob',
      url: 'https://u.example/',
      staticUrl: 'https://s.example/',
      visibleInPicker: true,
    };
    gateway.actors.turn(Instance.actor, instanceKey, (turn) => turn.put(customEmojis, [instanceKey, 'blob'], emoji));
    const id = await publish('":blob: is here"');
    await change(alice, 'PUT', reaction(id, 'blob'));
    expect((await listed(bob))[0]).toMatchObject({
      emojis: [{ shortcode: 'blob' }],
      reactions: [{ name: 'blob', count: 1, me: false, url: emoji.url, static_url: emoji.staticUrl }],
    });
  });

  test.each(['', 'a', '🐦🐦', 'blob', 'x'.repeat(5_000), '1'])('%j is none', async (name) => {
    const id = await publish('Birds');
    const { status } = await change(alice, 'PUT', reaction(id, name));
    expect(status).toBe(name === '' ? 404 : 422);
    expect((await listed(alice))[0]!.reactions).toEqual([]);
  });

  test('of more than eight kinds are refused', async () => {
    const id = await publish('Birds');
    const names = [...'🐦🦆🦅🦉🐧🐔🦜🦢🦩'];
    const statuses: number[] = [];
    for (const name of names) statuses.push((await change(alice, 'PUT', reaction(id, name))).status);
    expect(statuses).toEqual([...Array.from({ length: instanceLimits.reactionKindsMax }, () => 200), 422]);
  });

  test('reach streams at most once a second, with the counts of then', async () => {
    const id = await publish('Birds');
    logged.length = 0;
    const told = (count: number) => {
      const one = [announcementReacted.number, { announcementId: BigInt(id), name: '🐦', count }];
      return [one, one];
    };
    await change(alice, 'PUT', reaction(id, '🐦'));
    expect(said(logged)).toEqual(told(1));
    await change(bob, 'PUT', reaction(id, '🐦'));
    await change(alice, 'DELETE', reaction(id, '🐦'));
    await change(alice, 'PUT', reaction(id, '🐦'));
    expect(said(logged)).toEqual(told(1));
    gateway.actors.clock.advance(1_000);
    expect(said(logged)).toEqual([...told(1), ...told(2)]);
    gateway.actors.clock.advance(10_000);
    expect(logged).toHaveLength(4);
  });
});

test.each([
  ['publish x --ends-at 2024-12-31', 1, 'The end must be later'],
  ['publish x --starts-at 2025-03-01 --ends-at 2025-02-01', 1, 'The end must be later'],
  ['publish x --starts-at soon', 2, '--starts-at must be a time'],
  ['publish x --ends-at 2027-02-31', 2, '--ends-at must be a time'],
  ['publish ""', 1, 'The text must not be empty.'],
  ['change 12', 2, 'Nothing was asked to be changed.'],
  ['change word', 2, 'word is not the ID'],
  ['change 12 --text x', 1, 'There is no announcement 12.'],
  ['withdraw 12', 1, 'There is no announcement 12.'],
])('announcements %s is refused', async (line, code, sentence) => {
  const refused = await type(`announcements ${line}`);
  expect([refused.code, refused.complaints[0]]).toEqual([code, expect.stringContaining(sentence)]);
  expect((await type('announcements list')).printed).toEqual(['There are no announcements.']);
});

test('there is a bound', async () => {
  for (let number = 0; number < instanceLimits.announcementsMax; number += 1) await publish('x');
  expect((await type('announcements publish x')).code).toBe(1);
  expect((await type('announcements list')).printed).toHaveLength(instanceLimits.announcementsMax);
});

test.each([
  'POST 12/dismiss',
  'PUT 12/reactions/🐦',
  'DELETE 12/reactions/🐦',
  'POST word/dismiss',
])('%s: there is none', async (asked) => {
  const [method, path] = asked.split(' ') as [string, string];
  expect((await change(alice, method, encodeURI(path))).status).toBe(404);
});
