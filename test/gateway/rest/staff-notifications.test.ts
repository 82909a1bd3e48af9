/**
 * Notifications of staff (entities.md: `admin.report`, `admin.sign_up`), in both versions of the API and on streams,
 * only while they are staff.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { operator } from '../../../src/operations/caller.ts';
import { unlimited } from '../../../src/operations/rate-limits.ts';
import { registerAccount } from '../../../src/operations/registration/register-account.ts';
import { resolveReport } from '../../../src/operations/reports/open-reports.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { openStream } from '../../support/stream-readers.ts';

type Name = 'alice' | 'bob' | 'mona' | 'ada';
let gateway: TestGateway;
const ids = {} as Record<Name, bigint>;
const tokens = {} as Record<Name, string>;

/** Mona is a moderator, Ada an admin. */
beforeAll(async () => {
  gateway = startTestGateway({ endpoints, streams: true });
  const roles = { alice: 'user', bob: 'user', mona: 'moderator', ada: 'admin' } as const;
  for (const [username, role] of Object.entries(roles) as [Name, (typeof roles)[Name]][]) {
    ({ id: ids[username], token: tokens[username] } = await addWithToken(gateway, username, { role }));
  }
  await gateway.actors.call(Instance.changeSettings.to(instanceKey, { registrations: 'open' }));
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

async function ask<Body = Record<string, unknown>>(who: Name, path: string, json?: object): Promise<Body> {
  gateway.actors.settle();
  const { status, body } = await gateway.json(`/api/${path}`, { token: tokens[who], ...(json && { json }) });
  expect(status).toBe(200);
  return body as Body;
}

interface Entry {
  readonly id: string;
  readonly type: string;
}
const listed = (who: Name, query = '') => ask<Entry[]>(who, `v1/notifications${query}`);
const typesFor = async (who: Name, query = '') => (await listed(who, query)).map(({ type }) => type);
const report = (by: Name, about: Name, more: object = {}) =>
  ask<Entry>(by, 'v1/reports', { account_id: ids[about].toString(), comment: 'Rude', ...more });
const signUp = (username: string) => {
  const caller = { kind: 'visitor' as const, accountId: undefined, limits: unlimited };
  const wish = { username, email: `${username}@example.org`, password: 'long enough', agreement: true };
  return registerAccount({ caller, services: gateway.services }, wish);
};
const give = (who: Name, role: 'user' | 'moderator' | 'admin') =>
  gateway.actors.call(Account.changeLogin.to(ids[who], { role }));

test('of a report: everybody who handles them, but whoever made it', async () => {
  const stream = await openStream(gateway, 'websocket', { channel: 'user:notification', token: tokens.mona });
  const { id } = await report('alice', 'bob');
  const entity = {
    type: 'admin.report',
    account: { acct: 'alice' },
    report: { id, action_taken: false, comment: 'Rude', target_account: { acct: 'bob' } },
  };
  expect((await stream.next((one) => one.event === 'notification')).payload).toMatchObject(entity);
  stream.close();
  for (const who of ['mona', 'ada'] as const) expect((await listed(who))[0]).toMatchObject(entity);
  expect(await typesFor('alice')).toEqual([]);
  const [first] = await listed('mona', '?types[]=admin.report');
  expect(await typesFor('mona', '?exclude_types[]=admin.report')).toEqual([]);
  expect(await ask('mona', `v1/notifications/${first!.id}`)).toMatchObject(entity);
  const group = { type: 'admin.report', group_key: `ungrouped-${first!.id}`, report: { id } };
  expect(await ask('mona', 'v2/notifications')).toMatchObject({ notification_groups: [group], statuses: [] });
  expect(await ask('mona', 'v2/notifications/unread_count')).toEqual({ count: 1 });
  await resolveReport({ caller: operator, services: gateway.services }, { reportId: id });
  expect((await listed('mona'))[0]).toMatchObject({ report: { id, action_taken: true } });
  await report('mona', 'bob');
  expect([await typesFor('mona'), await typesFor('ada')]).toEqual([['admin.report'], ['admin.report', 'admin.report']]);
});

test('also about accounts that they block, or that block them', async () => {
  await ask('mona', `v1/accounts/${ids.alice}/block`, {});
  await ask('alice', `v1/accounts/${ids.ada}/block`, {});
  const before = (await listed('mona')).length;
  const { id } = await report('alice', 'bob');
  for (const who of ['mona', 'ada'] as const) expect((await listed(who))[0]).toMatchObject({ report: { id } });
  expect(await listed('mona')).toHaveLength(before + 1);
});

test('of sign-ups: in one group', async () => {
  const [dora, eve] = [await signUp('dora'), await signUp('eve')];
  expect(await listed('ada', '?types[]=admin.sign_up')).toMatchObject([
    { type: 'admin.sign_up', account: { acct: 'eve' } },
    { type: 'admin.sign_up', account: { acct: 'dora' } },
  ]);
  const { notification_groups: groups } = await ask<{ notification_groups: { group_key: string }[] }>(
    'ada',
    'v2/notifications?types[]=admin.sign_up',
  );
  expect(groups).toMatchObject([
    {
      group_key: expect.stringMatching(/^admin\.sign_up-[0-9]+$/),
      notifications_count: 2,
      sample_account_ids: [eve.accountId.toString(), dora.accountId.toString()],
    },
  ]);
  const key = groups[0]!.group_key;
  expect(await ask('ada', `v2/notifications/${key}/accounts`)).toMatchObject([{ acct: 'eve' }, { acct: 'dora' }]);
  await ask('ada', `v2/notifications/${key}/dismiss`, {});
  expect(await typesFor('ada', '?types[]=admin.sign_up')).toEqual([]);
  expect(await typesFor('bob')).toEqual([]);
});

test('in words, for a client that does not know the type and says which it knows', async () => {
  const mention = (name: string) =>
    `<span class="h-card" translate="no"><a href="https://social.example/@${name}" class="u-url mention">@<span>${name}</span></a></span>`;
  await report('bob', 'alice', { comment: 'Buy <this>' });
  const words = { title: `${mention('bob')} reported ${mention('alice')}`, summary: null, details: 'Buy &lt;this&gt;' };
  const known = 'supported_types[]=mention';
  const [first] = await listed('ada', `?${known}`);
  expect(first).toMatchObject({ type: 'admin.report', fallback: words });
  expect(await ask('ada', `v1/notifications/${first!.id}?${known}`)).toMatchObject({ fallback: words });
  const key = `ungrouped-${first!.id}`;
  for (const path of ['v2/notifications?limit=1&', `v2/notifications/${key}?`])
    expect(await ask('ada', path + known)).toMatchObject({
      notification_groups: [{ group_key: key, fallback: words }],
    });
  for (const query of ['', '?supported_types[]=admin.report']) {
    expect((await listed('ada', query))[0]).not.toHaveProperty('fallback');
    const { notification_groups: groups } = await ask<{ notification_groups: object[] }>(
      'ada',
      `v2/notifications${query}`,
    );
    expect(groups[0]).not.toHaveProperty('fallback');
  }
  await signUp('fay');
  await signUp('gus');
  const title = async () =>
    (await ask<{ notification_groups: { fallback: object }[] }>('ada', `v2/notifications?${known}`))
      .notification_groups[0]!.fallback;
  expect(await title()).toEqual({
    title: `${mention('gus')} and 1 more signed up`,
    summary: null,
    details: null,
    description: null,
  });
});

test('as long as they are staff, and from when they are', async () => {
  const before = await typesFor('mona');
  expect(before).toContain('admin.sign_up');
  await give('mona', 'user');
  await give('bob', 'moderator');
  expect(await typesFor('mona')).toEqual([]);
  expect(await ask('mona', 'v2/notifications')).toMatchObject({ notification_groups: [] });
  expect(await ask('mona', 'v2/notifications/unread_count')).toEqual({ count: 0 });
  await report('alice', 'mona');
  expect(await typesFor('bob')).toEqual(['admin.report']);
  await give('mona', 'admin');
  expect(await typesFor('mona')).toEqual(before);
});
