/**
 * Notifications of relationships severed by a domain block (entities.md: RelationshipSeveranceEvent), in both versions
 * of the API and on streams.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Directory, nameOfHandle } from '../../../src/actors/directory/directory.messages.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { testProfile } from '../../support/profile.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { openStream, type Transport } from '../../support/stream-readers.ts';

let gateway: TestGateway;
let aliceId: bigint;
let token: string;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints, streams: true });
  ({ id: aliceId, token } = await addWithToken(gateway, 'alice'));
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

async function ask(method: string, path: string, json?: object): Promise<{ status: number; body: never }> {
  gateway.actors.settle();
  const answer = await gateway.json(path, { method, token, ...(json && { json }) });
  return answer as { status: number; body: never };
}

/** One account there follows Alice, whom she follows as well; another one she follows alone. */
async function friendsAt(domain: string): Promise<void> {
  const { actors } = gateway;
  for (const username of ['bob', 'carol']) {
    const uri = `https://${domain}/users/${username}`;
    const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
    const profile = testProfile({ username, domain, remote });
    const { accountId } = await actors.call(Directory.learn.to(uri, { profile }));
    actors.send(Directory.point.to(nameOfHandle(username, domain), { accountId }));
    expect((await ask('POST', `/api/v1/accounts/${accountId}/follow`)).status).toBe(200);
    await actors.call(Account.followAccepted.to(aliceId, { targetId: accountId }));
    if (username === 'bob')
      await actors.call(Account.follow.to(accountId, { targetId: aliceId, options: {}, uri: `${uri}/follows/1` }));
  }
}

const listed = async () => (await ask('GET', '/api/v1/notifications?types[]=severed_relationships')).body as Entry[];
interface Entry {
  readonly id: string;
  readonly event: object;
}

test.each<Transport>([
  'websocket',
  'server-sent events',
])('is listed, streamed over %s, and dismissed', async (transport) => {
  const domain = `${transport.replaceAll(/[^a-z]/g, '')}.example`;
  await friendsAt(domain);
  const preview = await gateway.json(`/api/v1/domain_blocks/preview?domain=${domain.toUpperCase()}`, { token });
  expect(preview).toEqual({ status: 200, body: { following_count: 2, followers_count: 1 } });
  const stream = await openStream(gateway, transport, { channel: 'user', token });
  expect((await ask('POST', '/api/v1/domain_blocks', { domain })).status).toBe(200);
  const [notification] = await listed();
  const { id } = notification!;
  const event = {
    id: expect.stringMatching(/^[0-9]+$/),
    type: 'user_domain_block',
    purged: true,
    target_name: domain,
    followers_count: 1,
    following_count: 2,
    created_at: new Date(gateway.actors.clock.now()).toISOString(),
  };
  const entity = { id, type: 'severed_relationships', account: { id: aliceId.toString() }, event };
  expect(notification).toMatchObject(entity);
  expect((await ask('GET', `/api/v1/notifications/${id}`)).body).toMatchObject(entity);
  const fallback = { title: `You hid ${domain}`, summary: expect.stringMatching(/1 of you, 2 by you/), details: null };
  const inWords = await ask('GET', `/api/v1/notifications/${id}?supported_types[]=follow`);
  expect(inWords.body).toMatchObject({ fallback });
  const { payload } = await stream.next((one) => one.event === 'notification');
  expect(payload).toMatchObject(entity);
  stream.close();
  const group = { type: 'severed_relationships', group_key: `ungrouped-${id}`, notifications_count: 1, event };
  const { body } = await ask('GET', '/api/v2/notifications');
  expect(body).toMatchObject({ notification_groups: [group], statuses: [] });
  expect((await ask('GET', '/api/v2/notifications/unread_count')).body).toEqual({ count: 1 });
  const dismissal = transport === 'websocket' ? `v1/notifications/${id}` : `v2/notifications/ungrouped-${id}`;
  expect((await ask('POST', `/api/${dismissal}/dismiss`)).status).toBe(200);
  expect(await listed()).toEqual([]);
});

test('there is no notification where nothing was severed', async () => {
  expect((await ask('POST', '/api/v1/domain_blocks', { domain: 'nobody.example' })).status).toBe(200);
  expect(await listed()).toEqual([]);
});

const columns = 'Account address,Show boosts,Notify on new posts,Languages';

test('what a suspension of a server has ended is told, and can be downloaded, here and on pages', async () => {
  const domain = 'ended.example';
  await friendsAt(domain);
  for (const { id: accountId } of (await ask('GET', `/api/v1/accounts/${aliceId}/following`)).body as {
    id: string;
  }[]) {
    const { acct } = (await ask('GET', `/api/v1/accounts/${accountId}`)).body as { acct: string };
    if (!acct.endsWith(domain)) continue;
    await ask('POST', `/api/v1/accounts/${accountId}/follow`, {
      reblogs: acct !== `carol@${domain}`,
      languages: ['en', 'de'],
    });
    await gateway.actors.call(Account.treatByDomain.to(BigInt(accountId), { severity: 'suspend', domain }));
  }
  gateway.actors.settle();
  gateway.actors.clock.advance(60_000);
  const [notification] = await listed();
  expect(notification).toMatchObject({
    event: { type: 'domain_block', purged: false, target_name: domain, followers_count: 1, following_count: 2 },
  });
  const { id } = notification!.event as { id: string };
  const download = (list: string, who = token) =>
    gateway.fetch(`/api/murmuration/v1/severed_relationships/${id}/${list}`, { token: who });
  const following = await download('following');
  const day = new Date(gateway.actors.clock.now()).toISOString().slice(0, 10);
  expect(following.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(following.headers.get('content-disposition')).toBe(`attachment; filename="following-${domain}-${day}.csv"`);
  expect((await following.text()).trim().split('\n').sort()).toEqual(
    [columns, `bob@${domain},true,false,"en, de"`, `carol@${domain},false,false,"en, de"`].sort(),
  );
  expect(await (await download('followers')).text()).toBe(`Account address\nbob@${domain}\n`);

  const { token: others } = await addWithToken(gateway, 'zoe');
  for (const list of ['following', 'followers']) expect((await download(list, others)).status).toBe(404);
  const unknown = await gateway.fetch('/api/murmuration/v1/severed_relationships/1/following', { token });
  expect(unknown.status).toBe(404);
  // Without its notification it is still there.
  await ask('POST', '/api/v1/notifications/clear');
  expect((await download('following')).status).toBe(200);
});
