/**
 * `feature_approval` states what this viewer may do, wherever an account occurs: in a status, a notification, a
 * conversation, an event of a stream (Mastodon API 4.6).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Directory } from '../../../src/actors/directory/directory.messages.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { testProfile } from '../../support/profile.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { openStream } from '../../support/stream-readers.ts';

const names = ['alice', 'follower', 'stranger'] as const;
type Name = (typeof names)[number];
const hostile = '"current_user":"manual"';

interface AccountEntity {
  readonly id: string;
  readonly display_name: string;
  readonly feature_approval: { readonly automatic: string[]; readonly current_user: string };
}

let gateway: TestGateway;
const ids = {} as Record<Name | 'dave', bigint>;
const tokens = {} as Record<Name, string>;

/** Dave lives elsewhere. */
beforeAll(async () => {
  gateway = startTestGateway({ endpoints, streams: true });
  for (const name of names) {
    const role = name === 'stranger' ? 'admin' : 'user';
    ({ id: ids[name], token: tokens[name] } = await addWithToken(gateway, name, { role }));
  }
  await profile({ displayName: hostile });
  await learn({ automatic: ['followers'], manual: ['public'] });
  await act('follower', 'POST', `/api/v1/accounts/${ids.alice}/follow`);
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const profile = (changes: object) => gateway.actors.call(Account.changeProfile.to(ids.alice, changes));

async function learn(featureApproval: { automatic: string[]; manual: string[] } | undefined): Promise<void> {
  const uri = 'https://there.example/users/dave';
  const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
  const changed = testProfile({ username: 'dave', domain: 'there.example', remote, featureApproval } as never);
  ids.dave = (await gateway.actors.call(Directory.learn.to(uri, { profile: changed }))).accountId;
}

async function act<Body>(name: Name | undefined, method: string, path: string, json: object = {}): Promise<Body> {
  const body = method === 'GET' ? {} : { json };
  const answer = await gateway.json<Body>(path, { method, ...body, token: name && tokens[name] });
  expect(answer.status, `${method} ${path}`).toBe(200);
  gateway.actors.settle();
  return answer.body;
}

/** Every account in a body, wherever it stands. */
function accountsIn(body: unknown): AccountEntity[] {
  if (typeof body !== 'object' || body === null) return [];
  const own = 'feature_approval' in body ? [body as AccountEntity] : [];
  return [...own, ...Object.values(body).flatMap(accountsIn)];
}

/** What is said of one account, each time: all the same, or the test fails. */
function saidOf(id: bigint, body: unknown): string {
  const said = new Set(
    accountsIn(body)
      .filter((account) => account.id === String(id))
      .map(({ feature_approval: { current_user: permission } }) => permission),
  );
  expect([...said]).toHaveLength(1);
  return [...said][0]!;
}

async function post(by: Name, status: string, more: object = {}): Promise<string> {
  gateway.actors.clock.advance(1_000);
  return (await act<{ id: string }>(by, 'POST', '/api/v1/statuses', { status, ...more })).id;
}

describe.each<[string, object, Record<Name | 'nobody', string>]>([
  [
    'hides',
    { discoverable: false, locked: false },
    { nobody: 'denied', stranger: 'denied', follower: 'denied', alice: 'automatic' },
  ],
  [
    'wants to be found',
    { discoverable: true, locked: false },
    { nobody: 'denied', stranger: 'automatic', follower: 'automatic', alice: 'automatic' },
  ],
  [
    'is found by followers',
    { discoverable: true, locked: true },
    { nobody: 'denied', stranger: 'denied', follower: 'automatic', alice: 'automatic' },
  ],
])('an account that %s', (_what, changes, expected) => {
  beforeEach(async () => {
    await profile(changes);
  });

  test.each([undefined, ...names])('as shown to %s', async (viewer) => {
    const permission = expected[viewer ?? 'nobody'];
    const id = await post('alice', 'Original');
    const paths = [
      `/api/v1/accounts/${ids.alice}`,
      `/api/v1/statuses/${id}`,
      `/api/v1/accounts/${ids.alice}/statuses`,
      `/api/v1/statuses/${id}/history`,
    ];
    if (viewer !== 'alice' && viewer !== undefined) {
      await act(viewer, 'POST', `/api/v1/statuses/${id}/reblog`);
      const quoting = await post(viewer, `@alice ${id}`, { quoted_status_id: undefined });
      await post('alice', `@${viewer} hello`, { visibility: 'direct', in_reply_to_id: quoting });
      paths.push('/api/v1/notifications', '/api/v2/notifications', '/api/v1/conversations', '/api/v1/timelines/home');
    }
    for (const path of paths) {
      // The second time it comes from what the thread keeps.
      for (const _time of ['first', 'second']) {
        const body = await act<unknown>(viewer, 'GET', path);
        expect([path, saidOf(ids.alice, body)]).toEqual([path, permission]);
      }
    }
    const [alice] = accountsIn(await act(viewer, 'GET', `/api/v1/statuses/${id}`));
    expect(alice!.display_name).toBe(hostile);
  });
});

test('what a follow changes is said at once', async () => {
  await profile({ discoverable: true, locked: true });
  const id = await post('alice', 'Original');
  const said = async () => saidOf(ids.alice, await act('stranger', 'GET', `/api/v1/statuses/${id}`));
  expect(await said()).toBe('denied');
  await act('stranger', 'POST', `/api/v1/accounts/${ids.alice}/follow`);
  expect(await said()).toBe('denied');
  await act('alice', 'POST', `/api/v1/follow_requests/${ids.stranger}/authorize`);
  expect(await said()).toBe('automatic');
  await act('stranger', 'POST', `/api/v1/accounts/${ids.alice}/unfollow`);
  expect(await said()).toBe('denied');
});

test.each<[string, Parameters<typeof learn>[0], Record<'nobody' | 'stranger', string>]>([
  ['says nothing of it', undefined, { nobody: 'denied', stranger: 'missing' }],
  [
    'lets followers, and is asked by others',
    { automatic: ['followers'], manual: ['public'] },
    { nobody: 'denied', stranger: 'manual' },
  ],
  [
    'says what is not understood',
    { automatic: ['unsupported_policy'], manual: [] },
    { nobody: 'denied', stranger: 'unknown' },
  ],
])('a remote account that %s', async (_what, approval, expected) => {
  await learn(approval);
  const now = gateway.actors.clock.now();
  const status = {
    ...{ uri: `https://there.example/notes/${now}`, content: '<p>There</p>', spoilerText: '', sensitive: false },
    ...{ visibility: 'public' as const, publishedAt: now, mentions: [], localMentions: [], tags: [], emojis: [] },
    attachments: [],
  };
  const { statusId } = await gateway.actors.call(Account.receiveStatus.to(ids.dave, { receivedAt: now, status }));
  for (const viewer of [undefined, 'stranger'] as const)
    for (const path of [`/api/v1/statuses/${statusId}`, `/api/v1/accounts/${ids.dave}`])
      expect(saidOf(ids.dave, await act(viewer, 'GET', path))).toBe(expected[viewer ?? 'nobody']);
  gateway.actors.clock.advance(1_000);
});

test('a stream says it to each listener', async () => {
  await profile({ discoverable: true, locked: true });
  const open = (name: Name) => openStream(gateway, 'websocket', { channel: 'user', token: tokens[name] });
  const [follower, alice] = await Promise.all([open('follower'), open('alice')]);
  const id = await post('alice', 'Hello @follower');
  const isIt = ({ event, payload }: { event: string; payload: unknown }) =>
    event === 'update' && (payload as { id: string }).id === id;
  const heard = await follower.next(isIt);
  expect(saidOf(ids.alice, heard.payload)).toBe('automatic');
  expect(saidOf(ids.alice, (await alice.next(isIt)).payload)).toBe('automatic');
  const { payload } = await follower.next(({ event }) => event === 'notification');
  expect(saidOf(ids.alice, payload)).toBe('automatic');
  for (const stream of [follower, alice]) stream.close();
});

test('a report says it of the reported account', async () => {
  await profile({ discoverable: true, locked: true });
  const report = await act('follower', 'POST', '/api/v1/reports', { account_id: String(ids.alice) });
  expect(saidOf(ids.alice, report)).toBe('automatic');
  const notified = await act<unknown[]>('stranger', 'GET', '/api/v1/notifications?types[]=admin.report');
  expect(saidOf(ids.alice, notified)).toBe('denied');
});
