/**
 * Visibility after unfollowing, blocking, muting and suspension, on a running server, where the next request must see
 * every change.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Ask, idsOf, mistakesIn } from '../../support/asking.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { type User, Users } from '../../support/users.ts';

let server: RunningServer;
let ask: Ask;
/** Bob and carol follow alice, and carol follows bob. Nobody has anything to do with dave. */
let alice: User;
let bob: User;
let carol: User;
let dave: User;

beforeAll(async () => {
  server = await startTestServer();
  const people = await Users.of(server);
  ask = people.ask;
  ({ alice, bob, carol, dave } = await people.addAll(['alice', 'bob', 'carol', 'dave']));
});

afterAll(async () => {
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

beforeEach(async () => {
  const undoing: [User, string, User][] = [
    [alice, 'unblock', bob],
    [bob, 'unblock', alice],
    [carol, 'unblock', bob],
    [bob, 'unmute', alice],
    [carol, 'unmute', alice],
    [carol, 'unmute', bob],
  ];
  for (const [who, action, whom] of undoing) await act(who, action, whom);
  for (const [who, whom] of [
    [bob, alice],
    [carol, alice],
    [carol, bob],
  ] as const)
    await act(who, 'follow', whom);
});

async function act(who: User, action: string, whom: User, parameters: object = {}): Promise<void> {
  expect((await ask(who, 'POST', `/api/v1/accounts/${whom.id}/${action}`, parameters)).status, action).toBe(200);
}

async function post(who: User, status: string, more: object = {}): Promise<string> {
  const answer = await ask(who, 'POST', '/api/v1/statuses', { status, ...more });
  expect(answer.status, answer.text).toBe(200);
  return String(answer.body.id);
}

async function on(id: string, action: 'favourite' | 'reblog', who: User): Promise<string> {
  return String((await ask(who, 'POST', `/api/v1/statuses/${id}/${action}`)).body.id);
}

const homeOf = async (who: User) => idsOf(await ask(who, 'GET', '/api/v1/timelines/home?limit=40'));
const statusOf = async (who: User | undefined, path: string) => (await ask(who, 'GET', `/api/v1/${path}`)).status;
const namesIn = async (who: User | undefined, path: string) =>
  (await ask(who, 'GET', `/api/v1/${path}`)).body.map(({ username }) => String(username));

describe('followers only', () => {
  test.each<[string, () => Promise<void>]>([
    ['who leave', () => act(bob, 'unfollow', alice)],
    ['who are sent away', () => act(alice, 'remove_from_followers', bob)],
  ])('are not what those are %s', async (_what, part) => {
    const id = await post(alice, 'among ourselves', { visibility: 'private' });
    await until(async () => (await homeOf(bob)).includes(id), { description: 'the status at home' });
    await on(id, 'favourite', bob);
    await part();
    expect(await homeOf(bob)).not.toContain(id);
    for (const path of ['', '/context', '/favourited_by', '/reblogged_by'])
      expect(await statusOf(bob, `statuses/${id}${path}`), path).toBe(404);
    const replying = { status: 'still there', in_reply_to_id: id };
    expect((await ask(bob, 'POST', '/api/v1/statuses', replying)).status).toBe(404);
    expect(await namesIn(carol, `statuses/${id}/favourited_by`)).toEqual(['bob']);
  });

  test('is what nobody else can count', async () => {
    const id = await post(alice, 'a question');
    await post(bob, '@alice a whisper', { in_reply_to_id: id, visibility: 'direct' });
    await post(bob, '@alice among us', { in_reply_to_id: id, visibility: 'private' });
    const thread = () => ask(alice, 'GET', `/api/v1/statuses/${id}/context`);
    await until(async () => (await thread()).body.descendants!.length === 2, { description: 'both replies' });
    expect((await ask(undefined, 'GET', `/api/v1/statuses/${id}`)).body.replies_count).toBe(0);
    expect((await ask(dave, 'GET', `/api/v1/statuses/${id}/context`)).body.descendants).toEqual([]);
  });

  test('is what its author alone can reblog, to the same people', async () => {
    const id = await post(alice, 'among ourselves, again', { visibility: 'private' });
    const reblog = await on(id, 'reblog', alice);
    expect((await ask(bob, 'GET', `/api/v1/statuses/${reblog}`)).body).toMatchObject({ visibility: 'private' });
    expect(await statusOf(dave, `statuses/${reblog}`)).toBe(404);
    expect(await statusOf(undefined, `statuses/${reblog}`)).toBe(404);
  });
});

describe('a block', () => {
  test.each<[string, () => Promise<void>]>([
    ['of the author', () => act(alice, 'block', bob)],
    ['of the reader', () => act(bob, 'block', alice)],
  ])('%s hides everything, reblogs by others and older notifications too', async (_what, block) => {
    const id = await post(alice, '@bob hello #parting');
    await act(bob, 'follow', carol);
    // Just above the status itself the reblog would be left out.
    await act(bob, 'unfollow', alice);
    const reblog = await on(id, 'reblog', carol);
    const heard = async () =>
      (await ask(bob, 'GET', '/api/v1/notifications')).body.filter(({ status }) => String(status?.id) === id).length;
    const isThere = async () => (await heard()) === 1 && (await homeOf(bob)).includes(reblog);
    await until(isThere, { description: 'the mention, and the reblog at home' });
    await block();
    expect([await heard(), (await homeOf(bob)).includes(reblog)]).toEqual([0, false]);
    for (const status of [id, reblog]) expect(await statusOf(bob, `statuses/${status}`)).toBe(404);
    for (const list of [`accounts/${carol.id}/statuses`, 'timelines/tag/parting', 'timelines/public'])
      expect(idsOf(await ask(bob, 'GET', `/api/v1/${list}`)).filter((one) => [id, reblog].includes(one))).toEqual([]);
    expect((await ask(bob, 'GET', '/api/v1/accounts/search?q=alic')).body).toEqual([]);
    expect((await ask(bob, 'GET', `/api/v1/accounts/${alice.id}/followers`)).body).toEqual([]);
    expect(await statusOf(undefined, `statuses/${id}`)).toBe(200);
  });

  test('keeps mentions by the blocked away, direct ones too', async () => {
    await act(alice, 'block', bob);
    const unheard: string[] = [];
    for (const visibility of ['public', 'direct']) unheard.push(await post(bob, '@alice listen', { visibility }));
    for (const id of unheard) expect(await statusOf(alice, `statuses/${id}`)).toBe(404);
    await act(alice, 'unblock', bob);
    const heard = await post(bob, '@alice listen again');
    const statuses = async () =>
      (await ask(alice, 'GET', '/api/v1/notifications')).body.map(({ status }) => String(status?.id));
    // What one account does to another is heard in its order.
    await until(async () => (await statuses()).includes(heard), { description: 'the later mention' });
    expect((await statuses()).filter((id) => unheard.includes(id))).toEqual([]);
  });

  test('hides who is blocked among those who favourited and reblogged, and in lists of followers', async () => {
    const id = await post(alice, 'liked by many');
    await on(id, 'favourite', bob);
    await on(id, 'reblog', bob);
    await act(carol, 'block', bob);
    for (const list of [
      `statuses/${id}/favourited_by`,
      `statuses/${id}/reblogged_by`,
      `accounts/${alice.id}/followers`,
    ]) {
      expect(await namesIn(dave, list), list).toContain('bob');
      expect(await namesIn(carol, list), list).not.toContain('bob');
    }
  });
});

describe('a mute', () => {
  test('hides in timelines and notifications, and not on the profile or in a thread', async () => {
    const id = await post(alice, '@carol hello #muted');
    const reblog = await on(id, 'reblog', bob);
    await act(carol, 'mute', alice);
    for (const list of ['timelines/home', 'timelines/public', 'timelines/tag/muted'])
      expect(idsOf(await ask(carol, 'GET', `/api/v1/${list}`)).filter((one) => [id, reblog].includes(one))).toEqual([]);
    const heard = await ask(carol, 'GET', `/api/v1/notifications?account_id=${alice.id}`);
    expect(heard.body).toEqual([]);
    expect(idsOf(await ask(carol, 'GET', `/api/v1/accounts/${alice.id}/statuses`))).toContain(id);
    expect(await statusOf(carol, `statuses/${id}/context`)).toBe(200);
  });

  test('that leaves notifications alone lets them come', async () => {
    await act(carol, 'mute', alice, { notifications: false });
    const id = await post(alice, '@carol hello again');
    const newest = async () => (await ask(carol, 'GET', `/api/v1/notifications?account_id=${alice.id}&limit=1`)).body;
    await until(async () => String((await newest())[0]?.status?.id) === id, { description: 'the mention' });
    expect(await homeOf(carol)).not.toContain(id);
  });

  test('is nobody else’s business', async () => {
    await act(carol, 'mute', bob);
    const [relation] = (await ask(bob, 'GET', `/api/v1/accounts/relationships?id[]=${carol.id}`)).body;
    expect(relation).toMatchObject({ muting: false, blocked_by: false, followed_by: true });
  });
});

test('a home whose newest page is hidden goes on behind it', async () => {
  const kept = await post(bob, 'seen');
  const noise = [await post(alice, 'noise'), await post(alice, 'more noise'), await post(alice, 'still more')];
  const isThere = async () => {
    const home = await homeOf(carol);
    return [kept, ...noise].every((id) => home.includes(id));
  };
  await until(isThere, { description: 'all of it at home' });
  await act(carol, 'mute', alice);
  const page = await ask(carol, 'GET', '/api/v1/timelines/home?limit=2');
  expect(idsOf(page)[0]).toBe(kept);
});

test('an account that waits to be let in is not there for anybody', async () => {
  await server.run('settings', 'registrations', 'approval');
  await server.run(
    'accounts',
    'create',
    'erin',
    '--email',
    'erin@users.test',
    '--password',
    'erin-password',
    '--confirmed',
  );
  await server.run('settings', 'registrations', 'open');
  const id = /Id: (\d+)/.exec(await server.run('accounts', 'show', 'erin'))![1];
  for (const path of ['', '/statuses', '/followers', '/following', '/identity_proofs'])
    expect(await statusOf(alice, `accounts/${id}${path}`), path).toBe(404);
  for (const action of ['follow', 'unfollow', 'block', 'unblock', 'mute', 'unmute', 'remove_from_followers'])
    expect((await ask(alice, 'POST', `/api/v1/accounts/${id}/${action}`)).status, action).toBe(404);
  for (const path of [`accounts?id[]=${id}`, 'accounts/search?q=erin'])
    expect((await ask(alice, 'GET', `/api/v1/${path}`)).body, path).toEqual([]);
  expect(await statusOf(alice, 'accounts/lookup?acct=erin')).toBe(404);
});

test('what a suspended account has done is gone from everywhere', async () => {
  const id = await post(dave, '@alice hello #leaving');
  const liked = await post(alice, 'liked by dave');
  await on(liked, 'favourite', dave);
  const reblog = await on(id, 'reblog', bob);
  const reply = await post(bob, 'an answer', { in_reply_to_id: id });
  await server.run('accounts', 'modify', 'dave', '--suspend');
  for (const status of [id, reblog]) expect(await statusOf(alice, `statuses/${status}`)).toBe(404);
  for (const list of ['timelines/public', 'timelines/tag/leaving', `accounts/${bob.id}/statuses`])
    expect(idsOf(await ask(alice, 'GET', `/api/v1/${list}`)).filter((one) => [id, reblog].includes(one))).toEqual([]);
  expect((await ask(alice, 'GET', `/api/v1/notifications?account_id=${dave.id}`)).body).toEqual([]);
  expect(await namesIn(bob, `statuses/${liked}/favourited_by`)).toEqual([]);
  expect((await ask(bob, 'GET', `/api/v1/statuses/${reply}/context`)).body.ancestors).toEqual([]);
  expect((await ask(dave, 'GET', '/api/v1/timelines/home')).status).toBe(403);
});
