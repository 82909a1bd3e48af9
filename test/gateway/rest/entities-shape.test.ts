/**
 * What every endpoint answers, field by field, over a running server: all fields that are not optional are there, with
 * their types, and none that the reference does not know.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccountEntity } from '../../../src/gateway/entities/account.ts';
import { NotificationEntity } from '../../../src/gateway/entities/notification.ts';
import { UserStatusEntity } from '../../../src/gateway/entities/status-schema.ts';
import { ErrorEntity, OAuthErrorEntity } from '../../../src/gateway/entities/values.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { problemsOf } from '../../support/answer-shapes.ts';
import { type Answered, type Ask, answered, type Json, mistakesIn } from '../../support/asking.ts';
import { startTranslator, type TestTranslator } from '../../support/libre-translate.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { openStream } from '../../support/stream-readers.ts';
import { until } from '../../support/until.ts';
import { type User, Users } from '../../support/users.ts';
import { adminRows } from './entities-admin-rows.ts';
import { keptRows, type Row } from './entities-kept-rows.ts';
import { linkRows } from './entities-link-rows.ts';
import { mediaRows } from './entities-media-rows.ts';
import { notificationRows } from './entities-notification-rows.ts';
import { requestRows } from './entities-request-rows.ts';
import { emptyLists, openReads, pushRows } from './entity-reads.ts';
import { shownElsewhere } from './shown-elsewhere.ts';

let running: RunningServer;
let translator: TestTranslator;
let ask: Ask;
/** Bob's application speaks the dialect of today's clients; dave's account is locked; erin and frank wait to follow it. */
let alice: User;
let bob: User;
let dave: User;
let erin: User;
let frank: User;
let staff: User;
let people: Users;
let postId: string;
let replyId: string;
let pollId: string;
let scheduledId: string;
let directId: string;

beforeAll(async () => {
  translator = await startTranslator();
  running = await startTestServer({
    environment: { MURMURATION_TRANSLATION_ORIGIN: translator.origin, MURMURATION_SEARCH: 'on' },
  });
  people = await Users.of(running);
  ask = people.ask;
  ({ alice, dave, erin, frank } = await people.addAll(['alice', 'dave', 'erin', 'frank']));
  bob = await (await Users.of(running, 'mastodon')).add('bob');
  staff = await running.createUser('olga');
  await running.run('accounts', 'modify', 'olga', '--role', 'owner');
  await ask(dave, 'PATCH', '/api/v1/accounts/update_credentials', { locked: true, discoverable: true });
  for (const follower of [erin, frank]) await ask(follower, 'POST', `/api/v1/accounts/${dave.id}/follow`);
  await ask(bob, 'POST', `/api/v1/accounts/${alice.id}/follow`);
  const text = { status: 'a #tag, https://example.org/ and @bob', spoiler_text: 'a warning', language: 'en' };
  postId = String((await ask(alice, 'POST', '/api/v1/statuses', text)).body.id);
  replyId = String(
    (await ask(bob, 'POST', '/api/v1/statuses', { status: '@alice yes', in_reply_to_id: postId })).body.id,
  );
  pollId = String((await ask(alice, 'POST', '/api/v1/statuses', { status: 'Tea?', poll })).body.id);
  scheduledId = String((await ask(alice, 'POST', '/api/v1/statuses', later)).body.id);
  const direct = { status: '@bob', visibility: 'direct' };
  directId = String((await ask(alice, 'POST', '/api/v1/statuses', direct)).body.id);
  await ask(bob, 'POST', `/api/v1/statuses/${postId}/favourite`);
  await ask(bob, 'POST', `/api/v1/statuses/${postId}/reblog`);
  await running.run('announcements', 'publish', 'Birds');
  await running.run('accounts', 'warn', 'erin', '--text', 'Be kind');
  const heard = async () => (await ask(alice, 'GET', '/api/v1/notifications')).body.length;
  await until(async () => (await heard()) === 4, { description: 'a follow, a mention, a favourite and a reblog' });
});

afterAll(async () => {
  expect(mistakesIn(running)).toEqual([]);
  expect(await running.stop()).toBe(0);
  await translator.close();
});

const fields = [{ name: 'Site', value: 'https://example.org/' }];
const source = { privacy: 'unlisted', sensitive: true, language: 'de' };
const poll = { options: ['Yes', 'No'], expires_in: 600, multiple: true };
const later = { status: 'later', scheduled_at: '2099-01-01T00:00:00Z' };

const rows: readonly Row[] = [
  ['GET /api/v1/accounts/:id', () => ask(undefined, 'GET', `/api/v1/accounts/${alice.id}`)],
  ['GET /api/v1/accounts', () => ask(undefined, 'GET', `/api/v1/accounts?id[]=${alice.id}`)],
  ['GET /api/v1/accounts/lookup', () => ask(undefined, 'GET', '/api/v1/accounts/lookup?acct=alice')],
  ['GET /api/v1/accounts/search', () => ask(bob, 'GET', '/api/v1/accounts/search?q=alice')],
  ['GET /api/v1/directory', () => ask(undefined, 'GET', '/api/v1/directory?local=true&order=new')],
  ['GET /api/v2/search', () => ask(bob, 'GET', '/api/v2/search?q=a')],
  ['GET /api/v2/search', () => ask(bob, 'GET', `/api/v2/search?q=${running.origin}/@alice/${postId}`)],
  ['GET /api/v2/search', () => ask(bob, 'GET', '/api/v2/search?q=%23tag&type=hashtags')],
  ['GET /api/v1/search', () => ask(bob, 'GET', '/api/v1/search?q=ta')],
  ['GET /api/v1/accounts/:id/followers', () => ask(erin, 'GET', `/api/v1/accounts/${alice.id}/followers`)],
  ['GET /api/v1/accounts/:id/following', () => ask(erin, 'GET', `/api/v1/accounts/${bob.id}/following`)],
  ['GET /api/v1/accounts/:id/identity_proofs', () => ask(bob, 'GET', `/api/v1/accounts/${alice.id}/identity_proofs`)],
  ['GET /api/v1/accounts/:id/statuses', () => ask(undefined, 'GET', `/api/v1/accounts/${bob.id}/statuses`)],
  ['GET /api/v1/accounts/:id/statuses', () => ask(alice, 'GET', `/api/v1/accounts/${bob.id}/statuses`)],
  [
    'PATCH /api/v1/accounts/update_credentials',
    () =>
      ask(erin, 'PATCH', '/api/v1/accounts/update_credentials', { note: 'A note.', fields_attributes: fields, source }),
  ],
  [
    'PUT /api/v1/accounts/update_credentials',
    () => ask(erin, 'PUT', '/api/v1/accounts/update_credentials', { discoverable: true, bot: true }),
  ],
  ['GET /api/v1/accounts/verify_credentials', () => ask(erin, 'GET', '/api/v1/accounts/verify_credentials')],
  ['GET /api/v1/preferences', () => ask(erin, 'GET', '/api/v1/preferences')],

  [
    'GET /api/v1/accounts/relationships',
    () => ask(alice, 'GET', `/api/v1/accounts/relationships?id[]=${bob.id}&id[]=${dave.id}`),
  ],
  ['GET /api/v1/accounts/relationships', () => ask(bob, 'GET', `/api/v1/accounts/relationships?id[]=${alice.id}`)],
  [
    'POST /api/v1/accounts/:id/follow',
    () => ask(alice, 'POST', `/api/v1/accounts/${bob.id}/follow`, { notify: true, languages: ['en'] }),
  ],
  ['POST /api/v1/accounts/:id/follow', () => ask(bob, 'POST', `/api/v1/accounts/${alice.id}/follow`)],
  [
    'POST /api/v1/accounts/:id/remove_from_followers',
    () => ask(bob, 'POST', `/api/v1/accounts/${alice.id}/remove_from_followers`),
  ],
  ['POST /api/v1/accounts/:id/unfollow', () => ask(alice, 'POST', `/api/v1/accounts/${erin.id}/unfollow`)],
  ['POST /api/v1/accounts/:id/mute', () => ask(alice, 'POST', `/api/v1/accounts/${erin.id}/mute`, { duration: 3_600 })],
  ['GET /api/v1/mutes', () => ask(alice, 'GET', '/api/v1/mutes')],
  ['POST /api/v1/accounts/:id/unmute', () => ask(alice, 'POST', `/api/v1/accounts/${erin.id}/unmute`)],
  ['POST /api/v1/accounts/:id/block', () => ask(alice, 'POST', `/api/v1/accounts/${frank.id}/block`)],
  ['GET /api/v1/blocks', () => ask(alice, 'GET', '/api/v1/blocks')],
  ['POST /api/v1/accounts/:id/unblock', () => ask(alice, 'POST', `/api/v1/accounts/${frank.id}/unblock`)],
  ['POST /api/v1/follows', () => ask(erin, 'POST', '/api/v1/follows', { uri: '@alice' })],
  ['POST /api/v1/accounts/:id/note', () => ask(erin, 'POST', `/api/v1/accounts/${alice.id}/note`, { comment: 'A' })],
  ...['endorse', 'pin', 'unendorse', 'unpin'].flatMap((verb) =>
    ['POST', 'DELETE'].map((method): Row => {
      return [
        `${method} /api/v1/accounts/:id/${verb}`,
        () => ask(erin, method, `/api/v1/accounts/${alice.id}/${verb}`),
      ];
    }),
  ),
  ['POST /api/v1/accounts/:id/endorse', () => ask(erin, 'POST', `/api/v1/accounts/${alice.id}/endorse`)],
  ['GET /api/v1/endorsements', () => ask(erin, 'GET', '/api/v1/endorsements')],
  ['GET /api/v1/accounts/:id/endorsements', () => ask(undefined, 'GET', `/api/v1/accounts/${erin.id}/endorsements`)],
  [
    'GET /api/v1/accounts/familiar_followers',
    () => ask(erin, 'GET', `/api/v1/accounts/familiar_followers?id[]=${alice.id}&id[]=${bob.id}`),
  ],
  ['POST /api/v1/domain_blocks', () => ask(erin, 'POST', '/api/v1/domain_blocks', { domain: 'spam.example' })],
  ['GET /api/v1/domain_blocks', () => ask(erin, 'GET', '/api/v1/domain_blocks')],
  ['GET /api/v1/domain_blocks/preview', () => ask(erin, 'GET', '/api/v1/domain_blocks/preview?domain=far.example')],
  ['DELETE /api/v1/domain_blocks', () => ask(erin, 'DELETE', '/api/v1/domain_blocks', { domain: 'spam.example' })],
  ['GET /api/v1/follow_requests', () => ask(dave, 'GET', '/api/v1/follow_requests')],
  ['GET /api/v1/notifications', () => ask(dave, 'GET', '/api/v1/notifications')],
  [
    'POST /api/v1/follow_requests/:account_id/authorize',
    () => ask(dave, 'POST', `/api/v1/follow_requests/${erin.id}/authorize`),
  ],
  [
    'POST /api/v1/follow_requests/:account_id/reject',
    () => ask(dave, 'POST', `/api/v1/follow_requests/${frank.id}/reject`),
  ],

  ['GET /api/v1/statuses/:id', () => ask(undefined, 'GET', `/api/v1/statuses/${postId}`)],
  ['GET /api/v1/statuses/:id', () => ask(alice, 'GET', `/api/v1/statuses/${postId}`)],
  ['GET /api/v1/statuses/:id/source', () => ask(alice, 'GET', `/api/v1/statuses/${postId}/source`)],
  ['GET /api/v1/statuses/:id/history', () => ask(undefined, 'GET', `/api/v1/statuses/${postId}/history`)],
  ['GET /api/v1/statuses/:id/context', () => ask(alice, 'GET', `/api/v1/statuses/${postId}/context`)],
  ['GET /api/v1/statuses/:id/context', () => ask(undefined, 'GET', `/api/v1/statuses/${replyId}/context`)],
  ['GET /api/v1/statuses/:id/favourited_by', () => ask(undefined, 'GET', `/api/v1/statuses/${postId}/favourited_by`)],
  ['GET /api/v1/statuses/:id/reblogged_by', () => ask(undefined, 'GET', `/api/v1/statuses/${postId}/reblogged_by`)],
  ['POST /api/v1/statuses/:id/bookmark', () => ask(bob, 'POST', `/api/v1/statuses/${postId}/bookmark`)],
  ['GET /api/v1/bookmarks', () => ask(bob, 'GET', '/api/v1/bookmarks')],
  ['POST /api/v1/statuses/:id/unbookmark', () => ask(bob, 'POST', `/api/v1/statuses/${postId}/unbookmark`)],
  ['POST /api/v1/statuses/:id/mute', () => ask(bob, 'POST', `/api/v1/statuses/${replyId}/mute`)],
  ['POST /api/v1/statuses/:id/unmute', () => ask(bob, 'POST', `/api/v1/statuses/${replyId}/unmute`)],
  ['POST /api/v1/statuses/:id/pin', () => ask(alice, 'POST', `/api/v1/statuses/${postId}/pin`)],
  ['GET /api/v1/accounts/:id/statuses', () => ask(erin, 'GET', `/api/v1/accounts/${alice.id}/statuses?pinned=true`)],
  ['POST /api/v1/statuses/:id/unpin', () => ask(alice, 'POST', `/api/v1/statuses/${postId}/unpin`)],
  ['DELETE /api/v1/statuses/:id/pin', () => ask(alice, 'DELETE', `/api/v1/statuses/${postId}/pin`)],
  ['DELETE /api/v1/statuses/:id/unpin', () => ask(alice, 'DELETE', `/api/v1/statuses/${postId}/unpin`)],
  ['GET /api/v1/favourites', () => ask(bob, 'GET', '/api/v1/favourites')],
  ['GET /api/v1/timelines/home', () => ask(bob, 'GET', '/api/v1/timelines/home')],
  ['GET /api/v1/timelines/public', () => ask(undefined, 'GET', '/api/v1/timelines/public')],
  ['GET /api/v1/timelines/public', () => ask(erin, 'GET', '/api/v1/timelines/public')],
  ['GET /api/v1/timelines/tag/:hashtag', () => ask(undefined, 'GET', '/api/v1/timelines/tag/tag')],
  ['POST /api/v1/statuses', () => ask(erin, 'POST', '/api/v1/statuses', { status: 'one', visibility: 'private' })],
  ['PUT /api/v1/statuses/:id', () => ask(bob, 'PUT', `/api/v1/statuses/${replyId}`, { status: 'no' })],
  ['PATCH /api/v1/statuses/:id', () => ask(bob, 'PATCH', `/api/v1/statuses/${replyId}`, { status: 'so' })],
  ['DELETE /api/v1/statuses/:id', () => ask(bob, 'DELETE', `/api/v1/statuses/${replyId}`)],

  ['POST /api/v1/statuses', () => ask(alice, 'POST', '/api/v1/statuses', { ...later, poll })],
  ['GET /api/v1/scheduled_statuses', () => ask(alice, 'GET', '/api/v1/scheduled_statuses')],
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map(
    (method): Row => [
      `${method} /api/v1/scheduled_statuses/:id`,
      () => ask(alice, method, `/api/v1/scheduled_statuses/${scheduledId}`, method === 'GET' ? undefined : later),
    ],
  ),
  ['GET /api/v1/statuses', () => ask(undefined, 'GET', `/api/v1/statuses?id[]=${postId}`)],
  ['GET /api/v1/polls/:id', () => ask(undefined, 'GET', `/api/v1/polls/${pollId}`)],
  ['POST /api/v1/polls/:id/votes', () => ask(erin, 'POST', `/api/v1/polls/${pollId}/votes`, { choices: [1] })],

  ...notificationRows(() => ({ ask, alice })),
  ...requestRows(() => ({ ask, alice, frank })),
  ['POST /api/v1/notifications/clear', () => ask(alice, 'POST', '/api/v1/notifications/clear')],

  ['POST /api/v1/reports', () => ask(bob, 'POST', '/api/v1/reports', { account_id: alice.id, status_ids: [postId] })],
  ['GET /api/v1/reports', () => ask(bob, 'GET', '/api/v1/reports')],

  ['GET /api/v1/profile', () => ask(erin, 'GET', '/api/v1/profile')],
  ...['PATCH', 'PUT'].map(
    (method): Row => [`${method} /api/v1/profile`, () => ask(erin, method, '/api/v1/profile', { note: 'Another.' })],
  ),
  ...['avatar', 'header'].map(
    (picture): Row => [`DELETE /api/v1/profile/${picture}`, () => ask(erin, 'DELETE', `/api/v1/profile/${picture}`)],
  ),
  ['GET /api/v1/featured_tags/suggestions', () => ask(alice, 'GET', '/api/v1/featured_tags/suggestions')],
  ['POST /api/v1/featured_tags', () => ask(alice, 'POST', '/api/v1/featured_tags', { name: 'Tag' })],
  ['GET /api/v1/featured_tags', () => ask(alice, 'GET', '/api/v1/featured_tags')],
  ['GET /api/v1/accounts/:id/featured_tags', () => ask(bob, 'GET', `/api/v1/accounts/${alice.id}/featured_tags`)],
  [
    'DELETE /api/v1/featured_tags/:id',
    async () => {
      const { body } = await ask(alice, 'GET', '/api/v1/featured_tags');
      return ask(alice, 'DELETE', `/api/v1/featured_tags/${body[0]!.id}`);
    },
  ],
  ...['/api/v1/suggestions', '/api/v2/suggestions'].map(
    (path): Row => [
      `GET ${path}`,
      async () => {
        await ask(frank, 'POST', `/api/v1/statuses/${postId}/favourite`);
        return ask(frank, 'GET', path);
      },
    ],
  ),
  ['DELETE /api/v1/suggestions/:account_id', () => ask(bob, 'DELETE', `/api/v1/suggestions/${alice.id}`)],

  ['POST /api/v1/markers', () => ask(erin, 'POST', '/api/v1/markers', { home: { last_read_id: postId } })],
  ['GET /api/v1/markers', () => ask(erin, 'GET', '/api/v1/markers?timeline[]=home&timeline[]=notifications')],

  ...keptRows(() => ({ ask, addUser: (username) => people.add(username), alice, erin, postId, directId })),
  ...openReads.map((path): Row => [`GET ${path}`, () => ask(undefined, 'GET', path)]),
  ...pushRows((method, json) => ask(bob, method, '/api/v1/push/subscription', json)),
  [
    'GET /api/v1/instance/terms_of_service',
    async () => {
      await running.run('terms', 'publish', '2020-01-01', '--file', 'README.md');
      return ask(undefined, 'GET', '/api/v1/instance/terms_of_service');
    },
  ],
  [
    'GET /api/v1/instance/terms_of_service/:date',
    () => ask(undefined, 'GET', '/api/v1/instance/terms_of_service/2020-01-01'),
  ],
  ['GET /health', () => askForJson('/health')],

  [
    'POST /api/v1/apps',
    () =>
      ask(undefined, 'POST', '/api/v1/apps', {
        client_name: 'B',
        redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
        website: 'https://b.example/',
      }),
  ],
  ['GET /api/v1/apps/verify_credentials', () => ask(people.application, 'GET', '/api/v1/apps/verify_credentials')],
  [
    'GET /.well-known/oauth-authorization-server',
    () => ask(undefined, 'GET', '/.well-known/oauth-authorization-server'),
  ],
  [
    'POST /oauth/token',
    () => ask(undefined, 'POST', '/oauth/token', { grant_type: 'client_credentials', ...people.client }),
  ],
  [
    'POST /api/v1/accounts',
    () =>
      ask(people.application, 'POST', '/api/v1/accounts', {
        username: 'gina',
        email: 'gina@users.test',
        password: 'gina-password',
        agreement: true,
      }),
  ],
  [
    'POST /oauth/revoke',
    async () => ask(undefined, 'POST', '/oauth/revoke', { ...people.client, ...(await applicationToken()) }),
  ],
  ...adminRows(() => ({ running, ask, staff, alice })),
  ...mediaRows(() => ({ running, ask, alice })),
  ...linkRows(() => ({ ask, authors: [dave, bob], staff })),
  ['GET /oauth/userinfo', () => ask(alice, 'GET', '/oauth/userinfo')],
  ['POST /oauth/userinfo', () => ask(alice, 'POST', '/oauth/userinfo')],
];

async function askForJson(path: string): Promise<Answered> {
  return answered(await running.fetch(path, { headers: { accept: 'application/json' } }));
}

async function applicationToken(): Promise<{ token: string }> {
  const wish = { grant_type: 'client_credentials', scope: 'read write', ...people.client };
  return { token: String((await ask(undefined, 'POST', '/oauth/token', wish)).body.access_token) };
}

test.each(rows)('%s', async (route, question) => {
  const answer = await question();
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
  const { answer: shape } = endpoints.find(({ methods, path }) =>
    methods.some((method) => `${method} ${path}` === route),
  )!;
  expect(problemsOf(shape!, answer.body)).toBe('');
  if (Array.isArray(answer.body)) expect(answer.body.length > 0).toBe(!emptyLists.includes(route));
});

test('what a status is to the user stands in it for a user only', async () => {
  const path = `/api/v1/statuses/${postId}`;
  const marked = { favourited: false, reblogged: false, muted: false, bookmarked: false };
  expect((await ask(dave, 'GET', path)).body).toMatchObject(marked);
  const { body } = await ask(undefined, 'GET', path);
  expect(Object.keys(marked).filter((name) => name in body)).toEqual([]);
});

test('every endpoint that answers has a row', () => {
  const answering = endpoints.filter(({ answer }) => answer?.def.type !== 'never');
  const declared = answering.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`));
  const missing = declared.filter((route) => !rows.some(([name]) => name === route));
  expect(missing.sort()).toEqual([...shownElsewhere].sort());
});

test('refusals of the API say what is wrong, those of OAuth with a code besides', async () => {
  const refusals = [
    await ask(undefined, 'GET', '/api/v1/accounts/1'),
    await ask(undefined, 'GET', '/api/v1/timelines/home'),
    await ask(alice, 'POST', '/api/v1/statuses', {}),
    await ask(alice, 'GET', '/api/v1/nothing'),
    await ask(alice, 'POST', '/api/v2/instance'),
  ];
  expect(refusals.map(({ status: code, body }) => [code, problemsOf(ErrorEntity.loose(), body)])).toEqual(
    [404, 401, 422, 404, 405].map((code) => [code, '']),
  );
  const refused = await ask(undefined, 'POST', '/oauth/token', { grant_type: 'client_credentials' });
  expect([refused.status, problemsOf(OAuthErrorEntity, refused.body)]).toEqual([401, '']);
});

describe.each(['websocket', 'server-sent events'] as const)('over %s', (transport) => {
  test('events carry the same entities', async () => {
    const reader = await openStream(running, transport, { channel: 'user', token: alice.token });
    const { id } = (await ask(alice, 'POST', '/api/v1/statuses', { status: 'streamed' })).body;
    const update = await reader.next(({ event }) => event === 'update');
    await ask(bob, 'POST', `/api/v1/statuses/${id}/favourite`);
    const heard = await reader.next(({ event }) => event === 'notification');
    reader.close();
    expect(problemsOf(UserStatusEntity, update.payload as Json)).toBe('');
    expect(problemsOf(NotificationEntity, heard.payload as Json)).toBe('');
  });
});

describe('a suspended account', () => {
  test('is gone by the specification, and emptied for the mastodon dialect', async () => {
    await running.run('accounts', 'modify', 'frank', '--suspend');
    const paths = ['', '/statuses', '/followers', '/following'].map((path) => `/api/v1/accounts/${frank.id}${path}`);
    const statuses = async (who: User | undefined) =>
      Promise.all(paths.map(async (path) => (await ask(who, 'GET', path)).status));
    expect(await statuses(alice)).toEqual([410, 410, 410, 410]);
    expect(await statuses(undefined)).toEqual([410, 410, 410, 410]);
    expect(await statuses(bob)).toEqual([200, 200, 200, 200]);
    const shown = (await ask(bob, 'GET', paths[0]!)).body;
    expect(problemsOf(AccountEntity, shown)).toBe('');
    expect(shown).toMatchObject({ suspended: true, display_name: '', note: '', fields: [], emojis: [] });
    expect((await ask(frank, 'GET', '/api/v1/accounts/verify_credentials')).body).toEqual({
      error: 'Your login is currently disabled',
    });
  });
});
