/**
 * A real client: masto signs in through the OAuth pages, publishes, and receives the post over its streaming client.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createOAuthAPIClient, createRestAPIClient, createStreamingAPIClient } from 'masto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFormBrowser } from '../support/form-browser.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';

let server: RunningServer;
let alice: User;
const redirectUri = 'https://app.test/callback';

beforeAll(async () => {
  server = await startTestServer();
  alice = await server.createUser('alice');
});

afterAll(async () => {
  await server.stop();
});

/** Everything an application does to get a token for a person who signs in on the way. */
async function authorize(user: User): Promise<string> {
  const rest = createRestAPIClient({ url: server.origin });
  const application = await rest.v1.apps.create({
    clientName: 'masto test',
    redirectUris: redirectUri,
    scopes: 'read write follow push',
  });
  const verifier = randomBytes(32).toString('base64url');
  const address = new URL('/oauth/authorize', server.origin);
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: application.clientId!,
    redirect_uri: redirectUri,
    scope: 'read write follow push',
    state: 'the state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const browser = createFormBrowser((url) => url.origin === 'https://app.test');
  const signIn = await browser.open(address.href);
  const consent = await browser.submit(signIn, '/auth/sign_in', { email: user.email, password: user.password });
  expect(consent.html).toContain('masto test');
  const callback = await browser.submit(consent, '/oauth/authorize', { decision: 'authorize' });
  expect(callback.url.searchParams.get('state')).toBe('the state');
  const oauth = createOAuthAPIClient({ url: server.origin });
  const token = await oauth.token.create({
    grantType: 'authorization_code',
    clientId: application.clientId,
    clientSecret: application.clientSecret,
    redirectUri,
    code: callback.url.searchParams.get('code')!,
    codeVerifier: verifier,
  } as Parameters<typeof oauth.token.create>[0]);
  return token.accessToken;
}

test('signs in, posts, and receives the post over streaming', async () => {
  const accessToken = await authorize(alice);
  const rest = createRestAPIClient({ url: server.origin, accessToken });
  expect((await rest.v1.accounts.verifyCredentials()).username).toBe('alice');
  const instance = await rest.v2.instance.fetch();
  const streaming = createStreamingAPIClient({
    streamingApiUrl: instance.configuration.urls.streaming,
    accessToken,
    implementation: WebSocket,
  });
  await streaming.prepare();
  const subscription = streaming.user.subscribe();
  const received = (async () => {
    for await (const event of subscription) if (event.event === 'update') return event.payload;
    return undefined;
  })();
  let heard: Awaited<typeof received>;
  void received.then((update) => {
    heard = update;
  });
  const posts: string[] = [];
  // Nothing says when the subscription has arrived: what is posted before is not heard.
  await until(async () => {
    const posted = await rest.v1.statuses.create({ status: 'hello from masto #firsts' });
    expect(posted.content).toContain('hello from masto');
    posts.unshift(posted.id);
    return heard;
  });
  expect(posts).toContain(heard?.id);
  const home = await rest.v1.timelines.home.list({ limit: 40 });
  expect(home.map(({ id }) => id)).toEqual(posts.slice(0, 40));
  subscription.unsubscribe();
  streaming.close();
});

test('pages through a timeline by its Link headers', async () => {
  const rest = createRestAPIClient({ url: server.origin, accessToken: alice.token });
  for (let count = 0; count < 5; count += 1) await rest.v1.statuses.create({ status: `page ${count}` });
  const seen: string[] = [];
  for await (const page of rest.v1.timelines.home.list({ limit: 2 })) seen.push(...page.map(({ id }) => id));
  expect(seen.length).toBeGreaterThanOrEqual(5);
  expect(new Set(seen).size).toBe(seen.length);
  expect([...seen].sort((one, other) => (BigInt(one) > BigInt(other) ? -1 : 1))).toEqual(seen);
});

test('relationships, interactions and notifications as masto types them', async () => {
  const bob = await server.createUser('bob', 'mastodon');
  const asAlice = createRestAPIClient({ url: server.origin, accessToken: alice.token });
  const asBob = createRestAPIClient({ url: server.origin, accessToken: bob.token });
  const aliceAccount = await asBob.v1.accounts.lookup({ acct: 'alice' });
  const relationship = await asBob.v1.accounts.$select(aliceAccount.id).follow();
  expect(relationship.following).toBe(true);
  const status = await asAlice.v1.statuses.create({ status: 'for bob' });
  const favourited = await asBob.v1.statuses.$select(status.id).favourite();
  expect(favourited).toMatchObject({ favourited: true, favouritesCount: 1 });
  const reblog = await asBob.v1.statuses.$select(status.id).reblog();
  expect(reblog.reblog).toMatchObject({ id: status.id, reblogged: true, reblogsCount: 1 });
  const reply = await asBob.v1.statuses.create({ status: '@alice hi', inReplyToId: status.id });
  await until(async () => (await asAlice.v1.notifications.list()).length === 4);
  await until(async () => (await asAlice.v1.statuses.$select(status.id).fetch()).repliesCount === 1);
  const context = await asAlice.v1.statuses.$select(status.id).context.fetch();
  expect(context.descendants.map(({ id }) => id)).toEqual([reply.id]);
  const notifications = await asAlice.v1.notifications.list();
  expect(notifications.map(({ type }) => type)).toEqual(['mention', 'reblog', 'favourite', 'follow']);
  const undone = await asBob.v1.statuses.$select(status.id).unfavourite();
  expect(undone).toMatchObject({ favourited: false, favouritesCount: 0 });
  const unreblogged = await asBob.v1.statuses.$select(status.id).unreblog();
  expect(unreblogged).toMatchObject({ reblogged: false, reblogsCount: 0 });
});

test('a notification policy and its requests as masto types them', async () => {
  const erin = await server.createUser('erin', 'mastodon');
  const asErin = createRestAPIClient({ url: server.origin, accessToken: erin.token });
  const asAlice = createRestAPIClient({ url: server.origin, accessToken: alice.token });
  const changed = await asErin.v2.notifications.policy.update({ forNotFollowing: 'filter' });
  expect(changed).toEqual(await asErin.v2.notifications.policy.fetch());
  const status = await asAlice.v1.statuses.create({ status: '@erin hi' });
  expect(await asErin.v1.notifications.list()).toEqual([]);
  const [request] = await asErin.v1.notifications.requests.list();
  expect(request).toMatchObject({
    notificationsCount: '1',
    account: { username: 'alice' },
    lastStatus: { id: status.id },
  });
  expect(await asErin.v1.notifications.requests.$select(request!.id).fetch()).toEqual(request);
  await asErin.v1.notifications.requests.accept();
  expect(await asErin.v1.notifications.requests.list()).toHaveLength(1);
  await asErin.v1.notifications.requests.$select(request!.id).accept();
  expect(await asErin.v1.notifications.requests.merged.fetch()).toEqual({ merged: true });
  const { notificationGroups } = await asErin.v2.notifications.list();
  expect(notificationGroups).toMatchObject([{ type: 'mention', statusId: status.id }]);
});
