/**
 * Link headers on every list of a running server (behaviour of the Mastodon API): `next` leads through the whole list
 * once and ends, `prev` leads to newer entries, with the parameter that clients expect.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answered, type Ask, mistakesIn } from '../../support/asking.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { type User, Users } from '../../support/users.ts';

const fans = ['bob', 'carol', 'dave', 'erin', 'frank'] as const;
let server: RunningServer;
let ask: Ask;
let alice: User;
let gina: User;
let posts: string[];
let others: User[];
const scheduledIds: string[] = [];

/** All five follow alice and like and reblog her last post; alice follows, mutes and blocks others in her turn. */
beforeAll(async () => {
  server = await startTestServer();
  const people = await Users.of(server);
  ask = people.ask;
  const everybody = await people.addAll(['alice', 'gina', ...fans]);
  ({ alice, gina } = everybody);
  others = fans.map((name) => everybody[name]);
  await ask(gina, 'PATCH', '/api/v1/accounts/update_credentials', { locked: true });
  posts = [];
  for (let count = 1; count <= 6; count += 1) {
    const { body } = await ask(alice, 'POST', '/api/v1/statuses', { status: `number ${count} #pages` });
    posts.unshift(String(body.id));
  }
  for (const id of kept().reverse()) await ask(alice, 'POST', `/api/v1/statuses/${id}/pin`);
  for (let days = 1; days <= 5; days += 1) {
    const later = { status: 'later', scheduled_at: `2099-01-0${days}T00:00:00Z` };
    scheduledIds.unshift(String((await ask(gina, 'POST', '/api/v1/statuses', later)).body.id));
  }
  const [{ username: bob }] = others as [User];
  await ask(others[0], 'PATCH', '/api/v2/notifications/policy', { for_not_followers: 'filter' });
  for (const { username } of others)
    await ask(alice, 'POST', '/api/v1/statuses', { status: `@${username} between us`, visibility: 'direct' });
  for (const fan of others.slice(1))
    await ask(fan, 'POST', '/api/v1/statuses', { status: `@${bob} who are you?`, visibility: 'direct' });
  // In another order than they were written.
  for (const id of kept())
    for (const verb of ['favourite', 'bookmark']) await ask(gina, 'POST', `/api/v1/statuses/${id}/${verb}`);
  for (const fan of others) {
    await ask(fan, 'POST', `/api/v1/accounts/${alice.id}/follow`);
    await ask(fan, 'POST', `/api/v1/accounts/${gina.id}/follow`);
    await ask(fan, 'POST', `/api/v1/statuses/${posts[0]}/favourite`);
    await ask(fan, 'POST', `/api/v1/statuses/${posts[0]}/reblog`, { visibility: 'unlisted' });
    const quote = { status: 'as she says', quoted_status_id: posts[0], visibility: 'unlisted' };
    await ask(fan, 'POST', '/api/v1/statuses', quote);
    await ask(alice, 'POST', `/api/v1/accounts/${fan.id}/follow`);
    await ask(alice, 'POST', `/api/v1/accounts/${fan.id}/endorse`);
    await ask(gina, 'POST', `/api/v1/accounts/${fan.id}/mute`);
    await ask(gina, 'POST', '/api/v1/reports', { account_id: fan.id });
  }
  const lists = ['notifications', 'timelines/home'].map((path) => () => ask(alice, 'GET', `/api/v1/${path}`));
  await until(async () => (await lists[0]!()).body.length === 25, { description: 'all notifications' });
  await until(async () => (await lists[1]!()).body.length >= 5, { description: 'the posts at home' });
});

afterAll(async () => {
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

/** What gina keeps, in the order in which she does. */
const kept = () => posts.slice(1);

const accounts = () => others.map(({ id }) => id).reverse();

type Row = readonly [
  list: string,
  newerBy: 'min_id' | 'since_id',
  reader: () => User | undefined,
  path: () => string,
  expected: () => string[] | undefined,
];

const rows: readonly Row[] = [
  ['the home timeline', 'min_id', () => others[0], () => 'timelines/home', () => undefined],
  ['the public timeline', 'min_id', () => undefined, () => 'timelines/public', () => posts],
  ['the local timeline', 'min_id', () => alice, () => 'timelines/public?local=true', () => posts],
  ['the timeline of a tag', 'min_id', () => undefined, () => 'timelines/tag/pages?any[]=pages', () => posts],
  ['the statuses of an account', 'min_id', () => undefined, () => `accounts/${alice.id}/statuses`, () => posts],
  [
    'pinned statuses',
    'min_id',
    () => undefined,
    () => `accounts/${alice.id}/statuses?pinned=true`,
    () => posts.slice(1),
  ],
  ['notifications', 'min_id', () => alice, () => 'notifications?types[]=favourite&types[]=follow', () => undefined],
  [
    'grouped notifications',
    'min_id',
    () => alice,
    () => '/api/v2/notifications?grouped_types[]=nothing&types[]=favourite&types[]=follow',
    () => undefined,
  ],
  ['notification requests', 'min_id', () => others[0], () => 'notifications/requests', () => undefined],
  ['favourites', 'min_id', () => gina, () => 'favourites', () => kept().reverse()],
  ['scheduled statuses', 'min_id', () => gina, () => 'scheduled_statuses', () => scheduledIds],
  ['conversations', 'min_id', () => alice, () => 'conversations', () => undefined],
  ['bookmarks', 'min_id', () => gina, () => 'bookmarks', () => kept().reverse()],
  ['followers', 'since_id', () => undefined, () => `accounts/${alice.id}/followers`, accounts],
  ['followed accounts', 'since_id', () => undefined, () => `accounts/${alice.id}/following`, accounts],
  ['who favourited', 'since_id', () => undefined, () => `statuses/${posts[0]}/favourited_by`, accounts],
  ['who reblogged', 'since_id', () => undefined, () => `statuses/${posts[0]}/reblogged_by`, accounts],
  ['quotes', 'since_id', () => alice, () => `statuses/${posts[0]}/quotes`, () => undefined],
  ['follow requests', 'since_id', () => gina, () => 'follow_requests', accounts],
  ['endorsements', 'since_id', () => alice, () => 'endorsements', accounts],
  ['those of somebody', 'since_id', () => undefined, () => `accounts/${alice.id}/endorsements`, accounts],
  ['reports', 'since_id', () => gina, () => 'reports', () => undefined],
  ['mutes', 'since_id', () => gina, () => 'mutes', accounts],
];

/** Of the list in an answer; a group of notifications is where its newest one is. */
function entryIds({ body }: Answered): string[] {
  const entries = body.notification_groups ?? body;
  return entries.map(({ id, most_recent_notification_id }) => String(id ?? most_recent_notification_id));
}

function addressOf(path: string, limit: number | string): string {
  const joint = path.includes('?') ? '&' : '?';
  return `${path.startsWith('/') ? '' : '/api/v1/'}${path}${joint}limit=${limit}`;
}

function linkOf({ headers }: Answered, relation: 'next' | 'prev'): string | undefined {
  const links = (headers.get('link') ?? '').split(', ');
  const found = links.find((link) => link.endsWith(`>; rel="${relation}"`));
  return found?.slice(1, found.indexOf('>'));
}

function follow(reader: User | undefined, link: string): Promise<Answered> {
  expect(link.startsWith(`${server.origin}/api/v`)).toBe(true);
  expect(link).not.toMatch(/[,\s]/);
  return ask(reader, 'GET', link.slice(server.origin.length));
}

describe.each(rows)('%s', (_list, newerBy, reader, path, expected) => {
  const first = (limit: number) => ask(reader(), 'GET', addressOf(path(), limit));

  test('are read to the end, each once', async () => {
    const whole = entryIds(await first(40));
    expect(whole).toEqual(expected() ?? [...whole].sort((one, other) => (BigInt(one) > BigInt(other) ? -1 : 1)));
    expect(whole.length).toBeGreaterThanOrEqual(5);
    const seen: string[] = [];
    let page = await first(2);
    for (let count = 0; count < 20; count += 1) {
      seen.push(...entryIds(page));
      const next = linkOf(page, 'next');
      if (next === undefined) break;
      expect(new URL(next).searchParams.get('limit')).toBe('2');
      page = await follow(reader(), next);
    }
    expect(seen).toEqual(whole);
  });

  test('lead back to what is newer', async () => {
    const newest = await first(2);
    const older = await follow(reader(), linkOf(newest, 'next')!);
    const back = linkOf(older, 'prev')!;
    expect(new URL(back).searchParams.has(newerBy)).toBe(true);
    expect(entryIds(await follow(reader(), back))).toEqual(entryIds(newest));
    expect(entryIds(await follow(reader(), linkOf(newest, 'prev')!))).toEqual([]);
  });

  test.each([
    'null',
    'undefined',
    '-1',
    'word',
    '01HZXQ5W3T8N9V7C2B4M6K1J0D',
  ])('take the id %s as one before all', async (word) => {
    const list = addressOf(path(), 40);
    const [whole, ...pages] = await Promise.all(
      ['', `&since_id=${word}`, `&min_id=${word}`, `&max_id=${word}`].map((bound) =>
        ask(reader(), 'GET', `${list}${bound}`),
      ),
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(pages.map(entryIds)).toEqual([entryIds(whole!), entryIds(whole!), []]);
  });

  test.each([
    ['0', 1],
    ['-7', 1],
    ['word', 5],
    ['99999999999999999999', 5],
  ])('take a limit of %s without complaint', async (limit, atLeast) => {
    const page = await ask(reader(), 'GET', addressOf(path(), limit));
    const { length } = entryIds(page);
    expect([page.status, length >= atLeast]).toEqual([200, true]);
    expect(length).toBeLessThanOrEqual(atLeast === 1 ? 1 : 80);
  });
});
