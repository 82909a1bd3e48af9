/**
 * An answer waits until every gateway has dropped what it made untrue: who acts through one gateway, and looks through
 * another that is late, sees the new state. Without the wait each row shows what the late gateway has cached. Nothing is
 * waited for where nothing was invalidated.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/gateway/rest/endpoints.ts';
import type { Json } from '../support/asking.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LateGateway, startLateGateway } from '../support/late-gateway.ts';
import { addWithToken } from '../support/sign-up.ts';
import { typed } from './operator/typing.ts';

const names = ['alice', 'bob', 'carol', 'dave'] as const;
type Name = (typeof names)[number];

let gateway: TestGateway;
let late: LateGateway;
const people = {} as Record<Name, { id: bigint; token: string }>;
/** Posts of bob and dave. */
let post: string;
let daves: string;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  late = startLateGateway(gateway, { endpoints });
  for (const name of names) people[name] = await addWithToken(gateway, name);
  post = String((await call(gateway, 'bob', 'POST', 'statuses', { status: 'words of bob #birds' })).body.id);
  daves = String((await call(gateway, 'dave', 'POST', 'statuses', { status: 'words of dave' })).body.id);
});

afterAll(async () => {
  expect([...gateway.log, ...late.log]).toEqual([]);
  await late.close();
  await gateway.close();
});

async function call(through: TestGateway, who: Name, method: string, path: string, json?: object) {
  const { status, body } = await through.json<Json>(`/api/v1/${path}`, { method, token: people[who].token, json });
  return { status, body };
}

const account = (name: Name) => `accounts/${people[name].id}`;
const idsIn = (body: Json) => body.map(({ id }) => String(id));
const command = (line: string) => async () => {
  const { code, complaints } = await typed(gateway.services, line);
  expect([code, complaints]).toEqual([0, []]);
};
const by =
  (who: Name, method: string, path: () => string, json?: object): (() => Promise<unknown>) =>
  async () =>
    expect(await call(gateway, who, method, path(), json)).toMatchObject({ status: 200 });

type Sight = readonly [who: Name, path: () => string, part: (body: Json, status: number) => unknown];
const followers: Sight = ['alice', () => `statuses/${post}`, (body) => body.account!.followers_count];
const favourites: Sight = ['alice', () => `statuses/${post}`, (body) => [body.favourites_count, body.favourited]];
const ownPosts: Sight = ['alice', () => `${account('alice')}/statuses`, (body) => body.length];
const shown: Sight = ['alice', () => `statuses/${post}`, (_, status) => status];
const filtered: Sight = ['alice', () => `statuses/${post}`, (body) => body.filtered?.length];
const profile: Sight = ['bob', () => account('alice'), (body) => body.display_name];
const ofDave: Sight = ['dave', () => 'accounts/verify_credentials', (_, status) => status];
const postOfDave: Sight = ['alice', () => `statuses/${daves}`, (_, status) => status];
const replies: Sight = ['bob', () => `statuses/${post}/context`, (body) => idsIn(body.descendants!).length];
const home: Sight = ['alice', () => 'timelines/home', (body) => idsIn(body).includes(post)];

test.each<[string, () => Promise<unknown>, Sight, before: unknown, after: unknown]>([
  ['follow', by('alice', 'POST', () => `${account('bob')}/follow`), followers, 0, 1],
  ['unfollow', by('alice', 'POST', () => `${account('bob')}/unfollow`), followers, 1, 0],
  ['following a tag', by('alice', 'POST', () => 'tags/birds/follow'), home, false, true],
  ['favourite', by('alice', 'POST', () => `statuses/${post}/favourite`), favourites, [0, false], [1, true]],
  ['post', by('alice', 'POST', () => 'statuses', { status: 'words of alice' }), ownPosts, 0, 1],
  [
    'reply',
    () => call(gateway, 'alice', 'POST', 'statuses', { status: '@bob an answer', in_reply_to_id: post }),
    replies,
    0,
    1,
  ],
  [
    'profile',
    by('alice', 'PATCH', () => 'accounts/update_credentials', { display_name: 'Alice' }),
    profile,
    'alice',
    'Alice',
  ],
  [
    'filter',
    () => call(gateway, 'alice', 'POST', 'filters', { phrase: 'words', context: ['public', 'thread'] }),
    filtered,
    0,
    1,
  ],
  ['block', by('bob', 'POST', () => `${account('alice')}/block`), shown, 200, 404],
  ['disabling by command', command('accounts modify dave --disable'), ofDave, 200, 403],
  ['enabling by command', command('accounts modify dave --enable'), ofDave, 403, 200],
  ['suspension by command', command('accounts modify dave --suspend'), postOfDave, 200, 404],
])('%s is seen through a gateway that is late', async (_, act, [who, path, part], before, after) => {
  late.catchUp();
  const look = async () => {
    const { body, status } = await call(late, who, 'GET', path());
    return part(body, status);
  };
  expect(await look()).toEqual(before);
  await act();
  expect(await look()).toEqual(after);
});

describe('nothing is waited for', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['where one only looks', by('carol', 'GET', () => 'timelines/home')],
    ['for a note', by('carol', 'POST', () => `${account('alice')}/note`, { comment: 'a bird' })],
    ['for a marker', by('carol', 'POST', () => 'markers', { home: { last_read_id: '1' } })],
    ['for a warning, which lists of notifications show by their version', command('accounts warn carol --text Kindly')],
  ])('%s', async (_, act) => {
    const { awaited } = late;
    await act();
    expect(late.awaited).toBe(awaited);
  });

  test('for requests of notifications, which are listed by their version too', async () => {
    const waiting = () => call(late, 'carol', 'GET', 'notifications/requests');
    const policy = { for_not_following: 'filter' };
    await gateway.json('/api/v2/notifications/policy', { method: 'PATCH', token: people.carol.token, json: policy });
    await call(gateway, 'bob', 'POST', 'statuses', { status: '@carol hello' });
    const [request] = (await waiting()).body;
    const { awaited } = late;
    await call(gateway, 'carol', 'POST', `notifications/requests/${request!.id}/dismiss`);
    expect((await waiting()).body).toEqual([]);
    expect(late.awaited).toBe(awaited);
  });
});
