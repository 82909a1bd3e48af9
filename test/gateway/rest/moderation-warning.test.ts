/**
 * Notifications of warnings by moderation (entities.md: AccountWarning), in both versions of the API and on streams. The
 * operator warns with the command line.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { NotificationEntity } from '../../../src/gateway/entities/notification.ts';
import { GroupedNotificationsEntity } from '../../../src/gateway/entities/notification-groups.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { problemsOf } from '../../support/answer-shapes.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { openStream, type Transport } from '../../support/stream-readers.ts';
import { typed } from '../operator/typing.ts';

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

async function ask(path: string, method = 'GET'): Promise<never> {
  gateway.actors.settle();
  const { status, body } = await gateway.json(`/api/${path}`, { method, token });
  expect(status).toBe(200);
  return body as never;
}

async function warn(text: string): Promise<void> {
  const { code, complaints } = await typed(gateway.services, `accounts warn alice --text "${text}"`);
  expect([code, complaints]).toEqual([0, []]);
}

interface Entry {
  readonly id: string;
}
const listed = (query = ''): Promise<Entry[]> => ask(`v1/notifications${query}`);

/** What each shows. */
function entityOf(text: string) {
  return {
    type: 'moderation_warning',
    moderation_warning: {
      id: expect.stringMatching(/^[0-9]+$/),
      action: 'none',
      text,
      status_ids: [],
      target_account: expect.objectContaining({ id: aliceId.toString(), acct: 'alice' }),
      appeal: null,
      created_at: new Date(gateway.actors.clock.now()).toISOString(),
    },
  };
}

test.each<[Transport, string]>([
  ['websocket', 'v1/notifications/ID'],
  ['server-sent events', 'v2/notifications/ungrouped-ID'],
])('is listed, streamed over %s, and dismissed', async (transport, dismissed) => {
  const stream = await openStream(gateway, transport, { channel: 'user:notification', token });
  await warn('Be kind to <birds>');
  const entity = { ...entityOf('Be kind to <birds>'), account: { id: aliceId.toString() } };
  const { payload } = await stream.next((one) => one.event === 'notification');
  stream.close();
  const [first, ...others] = await listed('?types[]=moderation_warning');
  const { id } = first!;
  for (const shown of [payload, first, await ask(`v1/notifications/${id}`)]) {
    expect(shown).toMatchObject(entity);
    expect(problemsOf(NotificationEntity, shown)).toBe('');
  }
  expect(others).toEqual([]);
  expect(await listed('?exclude_types[]=moderation_warning')).toEqual([]);
  expect(await ask('v2/notifications/unread_count')).toEqual({ count: 1 });
  await ask(`${dismissed.replace('ID', id)}/dismiss`, 'POST');
  expect(await listed()).toEqual([]);
});

test('each is a group of its own', async () => {
  await warn('Once');
  await warn('Twice');
  const results = await ask('v2/notifications');
  const [once, twice] = [entityOf('Once'), entityOf('Twice')];
  const sample_account_ids = [aliceId.toString()];
  const ids = (await listed()).map(({ id }) => id);
  expect(results).toMatchObject({
    accounts: [{ acct: 'alice' }],
    statuses: [],
    notification_groups: [twice, once].map((entity, index) => ({
      ...entity,
      ...{ group_key: `ungrouped-${ids[index]}`, notifications_count: 1, sample_account_ids },
    })),
  });
  expect(problemsOf(GroupedNotificationsEntity, results)).toBe('');
  const one = await ask(`v2/notifications/ungrouped-${ids[0]}`);
  expect(one).toMatchObject({ notification_groups: [twice] });
  expect(problemsOf(GroupedNotificationsEntity, one)).toBe('');
  await ask('v1/notifications/clear', 'POST');
  expect(await listed()).toEqual([]);
});

test('shows the account as it is, also where the rest was kept', async () => {
  await warn('Be kind');
  for (const displayName of ['Alice the first', 'Alice the second']) {
    await gateway.actors.call(Account.changeProfile.to(aliceId, { displayName }));
    const warned = { moderation_warning: { target_account: { display_name: displayName } } };
    expect((await listed())[0]).toMatchObject(warned);
    expect(await ask('v2/notifications')).toMatchObject({ notification_groups: [warned] });
  }
  await ask('v1/notifications/clear', 'POST');
});

test('in words, for a client that does not know the type and says which it knows', async () => {
  await gateway.actors.call(Account.warn.to(aliceId, { action: 'none', text: 'Be <kind>\nto & fro' }));
  const fallback = { title: 'You have received a moderation warning', details: 'Be &lt;kind&gt;<br>to &amp; fro' };
  const known = '?supported_types[]=mention';
  const [first] = await listed(known);
  expect(first).toMatchObject({ fallback: { ...fallback, summary: null } });
  expect(await ask(`v2/notifications${known}`)).toMatchObject({ notification_groups: [{ fallback }] });
  const knowing = '?supported_types[]=moderation_warning';
  for (const query of ['', knowing]) expect((await listed(query))[0]).not.toHaveProperty('fallback');
  const { notification_groups: groups }: { notification_groups: object[] } = await ask(`v2/notifications${knowing}`);
  expect(groups[0]).not.toHaveProperty('fallback');
});
