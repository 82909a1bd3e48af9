/**
 * Apps with typed models (typed-models.ts) read every answer of the dialect `mastodon`: one walk over what such an app
 * asks for.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { subscription } from '../gateway/rest/push-keys.ts';
import { type Ask, askerOf } from '../support/asking.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';
import * as models from './typed-models.ts';

let server: RunningServer;
let ask: Ask;
let alice: User;
let bob: User;
/** Ids in the paths below. */
const named = new Map<string, string>();

async function make(who: User, path: string, json: object = {}, method = 'POST'): Promise<string> {
  const made = await ask(who, method, `/api/v1/${path}`, json);
  expect([made.status, made.text]).toEqual([200, made.text]);
  return String(made.body.id);
}

async function showsEverything(): Promise<boolean> {
  const { body } = await ask(alice, 'GET', '/api/v1/timelines/home');
  const home = z.array(models.status).parse(body);
  return [
    home.some(({ reblog }) => reblog !== null),
    home.some(({ quote }) => quote !== null && quote.quoted_status !== null),
    home.some(({ poll }) => poll?.votes_count === 1),
    home.some(({ filtered }) => filtered.length > 0),
  ].every(Boolean);
}

beforeAll(async () => {
  server = await startTestServer({ environment: { MURMURATION_SEARCH: 'on' } });
  ask = askerOf(server);
  [alice, bob] = await Promise.all([server.createUser('alice', 'mastodon'), server.createUser('bob', 'mastodon')]);
  const carol = await server.createUser('carol', 'mastodon');
  for (const [follower, followed] of [
    [alice, bob],
    [bob, alice],
  ] as const)
    await make(follower, `accounts/${followed.id}/follow`, { notify: true });
  const post = await make(alice, 'statuses', { status: 'A #cat for @bob', spoiler_text: 'Cats', language: 'en' });
  const poll = { options: ['tea', 'coffee'], expires_in: 3_600 };
  const asked = await make(alice, 'statuses', { status: 'Tea?', poll });
  await make(bob, `polls/${asked}/votes`, { choices: [0] });
  for (const verb of ['favourite', 'reblog', 'bookmark']) await make(bob, `statuses/${post}/${verb}`);
  await make(bob, 'statuses', { status: '@alice a dog', in_reply_to_id: post });
  await make(bob, 'statuses', { status: 'Look at this', quoted_status_id: post });
  await make(bob, 'statuses', { status: '@alice psst', visibility: 'direct' });
  await make(alice, `statuses/${post}`, { status: 'A #cat for @bob, and a dog' }, 'PUT');
  const keywords = [{ keyword: 'dog', whole_word: true }];
  const filter = { title: 'Dogs', context: ['home', 'thread'], filter_action: 'warn', keywords_attributes: keywords };
  expect((await ask(alice, 'POST', '/api/v2/filters', filter)).status).toBe(200);
  await make(alice, 'lists', { title: 'Friends' });
  await make(alice, 'featured_tags', { name: 'cat' });
  await make(alice, 'tags/cat/follow');
  await make(alice, 'statuses', { status: 'Later', scheduled_at: new Date(Date.now() + 7_200_000).toISOString() });
  await make(alice, 'markers', { home: { last_read_id: post } });
  await make(alice, 'push/subscription', { subscription });
  expect((await ask(alice, 'PATCH', '/api/v2/notifications/policy', { for_not_following: 'filter' })).status).toBe(200);
  const hello = await make(carol, 'statuses', { status: '@alice hello' });
  await make(bob, `statuses/${hello}/reblog`);
  await make(bob, 'accounts/update_credentials', { discoverable: true }, 'PATCH');
  const collected = await ask(alice, 'POST', '/api/v1/collections', {
    ...{ name: 'Friends', description: '', sensitive: false, discoverable: true, account_ids: [bob.id] },
  });
  named.set('collection', String(collected.body.collection!.id));
  await until(showsEverything, { description: 'a boost, a quote, a vote and a filtered status on the home timeline' });
  named.set('post', post).set('poll', asked).set('bob', bob.id);
});

afterAll(async () => {
  await server.stop();
});

const some = <Model extends z.ZodType>(model: Model) => z.array(model).min(1);

test.each<[path: string, model: z.ZodType]>([
  ['v1/accounts/verify_credentials', models.ownAccount],
  ['v1/accounts/:bob', models.account],
  ['v1/accounts/:bob/statuses', some(models.status)],
  ['v1/accounts/:bob/followers', some(models.account)],
  ['v1/accounts/relationships?id[]=:bob', some(models.relationship)],
  ['v1/accounts/search?q=bob', some(models.account)],
  ['v1/timelines/home', some(models.status)],
  ['v1/timelines/public', some(models.status)],
  ['v1/timelines/tag/cat', some(models.status)],
  ['v1/statuses/:post', models.status],
  ['v1/statuses/:post/context', models.thread],
  ['v1/statuses/:post/history', some(models.statusEdit)],
  ['v1/statuses/:post/favourited_by', some(models.account)],
  ['v1/statuses/:post/quotes', some(models.status)],
  ['v1/polls/:poll', models.poll],
  ['v1/notifications', some(models.notification)],
  ['v2/notifications', models.groups],
  ['v2/notifications/policy', models.notificationPolicy],
  ['v1/notifications/requests', some(models.notificationRequest)],
  ['v1/conversations', some(models.conversation)],
  ['v2/search?q=cat', models.searchResults.extend({ hashtags: some(models.tag) })],
  ['v2/search?q=bob', models.searchResults.extend({ accounts: some(models.account) })],
  ['v1/trends/tags', some(models.tag)],
  ['v1/tags/cat', models.tag],
  ['v1/followed_tags', some(models.tag)],
  ['v1/featured_tags', some(models.featuredTag)],
  ['v2/filters', some(models.filter)],
  ['v1/lists', some(models.list)],
  ['v1/markers?timeline[]=home', z.object({ home: models.marker })],
  ['v1/scheduled_statuses', some(models.scheduledStatus)],
  ['v1/preferences', models.preferences],
  ['v1/push/subscription', models.pushSubscription],
  ['v1/collections/:collection', models.collection],
  ['v2/instance', models.instance],
  ['v1/instance', models.instanceV1],
])('/api/%s', async (path, model) => {
  const asked = path.replace(/:(\w+)/g, (_whole, name: string) => named.get(name)!);
  const { status, body } = await ask(alice, 'GET', `/api/${asked}`);
  expect([status, z.prettifyError(model.safeParse(body).error ?? new z.ZodError([]))]).toEqual([200, '']);
});
