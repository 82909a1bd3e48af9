/** What docs/clients/dialects.md says that the two dialects differ in, one test for each row of its table. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscription } from '../gateway/rest/push-keys.ts';
import { type Ask, askerOf, mistakesIn } from '../support/asking.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { type User, Users } from '../support/users.ts';

const dialects = ['specification', 'mastodon'] as const;
type Dialect = (typeof dialects)[number];

let server: RunningServer;
let ask: Ask;
let readers: Record<Dialect, User>;
/** Tokens of applications themselves. */
let applications: Record<Dialect, { readonly token: string }>;
let bob: User;
let gone: User;

beforeAll(async () => {
  server = await startTestServer();
  ask = askerOf(server);
  const people = Object.fromEntries(
    await Promise.all(dialects.map(async (dialect) => [dialect, await Users.of(server, dialect)])),
  );
  applications = { specification: people.specification.application, mastodon: people.mastodon.application };
  readers = { specification: await people.specification.add('sam'), mastodon: await people.mastodon.add('max') };
  [bob, gone] = await Promise.all([server.createUser('bob'), server.createUser('gone')]);
  await server.run('accounts', 'modify', 'gone', '--suspend');
});

afterAll(async () => {
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

interface Row {
  /** The beginning of the row in the table. */
  readonly answer: string;
  readonly read: (dialect: Dialect) => Promise<unknown>;
  readonly expected: Readonly<Record<Dialect, unknown>>;
}

const statuses = async (...paths: readonly [who: { readonly token: string } | undefined, path: string][]) =>
  Promise.all(paths.map(async ([who, path]) => (await ask(who, 'GET', `/api/${path}`)).status));

const anId = expect.stringMatching(/^[1-9][0-9]{9,}$/);
const isInt32 = expect.toSatisfy((number: unknown) => Number.isInteger(number) && Number(number) < 2 ** 31);

const rows: readonly Row[] = [
  {
    answer: '`following` of a Relationship',
    read: async (dialect) => (await ask(readers[dialect], 'POST', `/api/v1/accounts/${bob.id}/follow`)).body.following,
    expected: { specification: { reblogs: true }, mastodon: true },
  },
  {
    answer: '`GET /api/v1/accounts/:id` of a suspended account',
    read: (dialect) =>
      statuses(
        ...['', '/statuses', '/followers', '/following'].map(
          (list) => [readers[dialect], `v1/accounts/${gone.id}${list}`] as [User, string],
        ),
      ),
    expected: { specification: [410, 410, 410, 410], mastodon: [200, 200, 200, 200] },
  },
  {
    answer: '`GET /api/v2/search`',
    read: (dialect) =>
      statuses(
        ...['v2/search?q=bob', 'v1/search?q=bob', 'v2/search?q=bob&resolve=true', 'v2/search?q=bob&offset=1'].map(
          (path) => [applications[dialect], path] as [User, string],
        ),
      ),
    expected: { specification: [422, 422, 422, 422], mastodon: [200, 200, 401, 401] },
  },
  {
    answer: '`id` of a WebPushSubscription',
    read: async (dialect) =>
      (await ask(readers[dialect], 'POST', '/api/v1/push/subscription', { subscription })).body.id,
    expected: { specification: anId, mastodon: isInt32 },
  },
  {
    answer: '`params.application_id`',
    read: async (dialect) => {
      const later = { status: 'Later', scheduled_at: '2099-01-01T00:00:00Z' };
      return (await ask(readers[dialect], 'POST', '/api/v1/statuses', later)).body.params!.application_id;
    },
    expected: { specification: anId, mastodon: isInt32 },
  },
  {
    answer: '`most_recent_notification_id`',
    read: async (dialect) => {
      await ask(bob, 'POST', `/api/v1/accounts/${readers[dialect].id}/follow`);
      const group = await until(
        async () => (await ask(readers[dialect], 'GET', '/api/v2/notifications')).body.notification_groups?.[0],
        { description: 'the notification of a follow' },
      );
      expect(group.page_max_id).toEqual(anId);
      return group.most_recent_notification_id;
    },
    expected: { specification: anId, mastodon: expect.any(Number) },
  },
];

test.each(rows)('$answer', async ({ read, expected }) => {
  for (const dialect of dialects) expect(await read(dialect), dialect).toEqual(expected[dialect]);
});

test('the table of the page has these rows', async () => {
  const page = await readFile(new URL('../../docs/clients/dialects.md', import.meta.url), 'utf8');
  const table = page.split('\n').filter((line) => line.startsWith('| '));
  const missing = rows.filter(({ answer }) => !table.some((line) => line.startsWith(`| ${answer}`)));
  expect([missing.map(({ answer }) => answer), table.length - 1]).toEqual([[], rows.length]);
});

test('without a token the search is that of the specification', async () => {
  expect(await statuses([undefined, 'v2/search?q=bob'])).toEqual([401]);
});
