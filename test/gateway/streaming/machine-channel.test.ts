/** The channel of the machine: what it shows, and to whom. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { bitsOf } from '../../../src/actors/policy/roles.ts';
import { AdminMachineEntity, adminMachineEntity } from '../../../src/gateway/entities/admin/machine.ts';
import { Machine } from '../../../src/gateway/operator/machine/machine.ts';
import type { MachineView } from '../../../src/gateway/operator/machine/machine-view.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { createToken } from '../../../src/operations/administration/create-token.ts';
import { operator } from '../../../src/operations/caller.ts';
import { allocateMetrics } from '../../../src/runtime/metrics/layout.ts';
import { problemsOf } from '../../support/answer-shapes.ts';
import type { Json } from '../../support/asking.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { openStream, type Transport } from '../../support/stream-readers.ts';
import { until } from '../../support/until.ts';

const channel = 'admin:machine';
const transports: readonly Transport[] = ['websocket', 'server-sent events'];
let gateway: TestGateway;
let watched = 0;
let role: { roleId: bigint };
const tokens = new Map<string, string>();
let helper: { id: bigint };

/** Of no threads but one, which measures nothing. */
const machine = new Machine({
  measured: [{ title: 'main', memory: allocateMetrics() }],
  figures: () => ({ uptimeSeconds: 1, cpuSeconds: 0.5, cpuWaitSeconds: 0, anonymousBytes: 1_024, mappedBytes: 0 }),
  lanes: async () => [],
  now: () => Date.now(),
  report: () => undefined,
  pauseMilliseconds: 5,
});

beforeAll(async () => {
  const counted: typeof machine.watch = (watcher) => {
    watched += 1;
    const end = machine.watch(watcher);
    return () => {
      watched -= 1;
      end();
    };
  };
  gateway = startTestGateway({
    endpoints,
    streams: true,
    machine: { views: () => machine.views(), watch: counted },
  });
  const content = { name: 'Operators', color: '', isHighlighted: false, position: 20, needsTwoFactor: false };
  role = await gateway.actors.call(Instance.addRole.to(instanceKey, { ...content, bits: bitsOf(['operateMachine']) }));
  for (const name of ['user', 'moderator', 'admin', 'owner'] as const)
    tokens.set(name, (await addWithToken(gateway, name, { role: name })).token);
  const made = await addWithToken(gateway, 'helper', role);
  helper = made;
  tokens.set('helper', made.token);
  const context = { caller: operator, services: gateway.services };
  for (const scopes of ['read write', 'admin:write'])
    tokens.set(scopes, (await createToken(context, { username: 'owner', scopes })).token);
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const missing = 'The access token is missing required scopes';

test.each([
  [undefined, 401, expect.anything()],
  ['user', 403, 'This action is not allowed'],
  ['moderator', 403, 'This action is not allowed'],
  ['admin', 403, 'This action is not allowed'],
  ['read write', 401, expect.anything()],
  ['admin:write', 401, expect.anything()],
])('%s may not open it', async (who, status, error) => {
  const token = who === undefined ? {} : { token: tokens.get(who)! };
  expect(await gateway.json('/api/v1/streaming/admin/machine', token)).toMatchObject({ status, body: { error } });
  if (who === undefined) return;
  const reader = await openStream(gateway, 'websocket', { channel, token: tokens.get(who)! });
  // The refusal is no event of a channel.
  expect(await reader.next(({ stream }) => stream === undefined)).toMatchObject({ event: undefined });
  reader.close();
  expect([watched, missing.length > 0]).toEqual([0, true]);
});

test.each(transports)('it tells what the page shows, without ids, over %s', async (transport) => {
  const readers = await Promise.all(
    ['owner', 'helper'].map((who) =>
      openStream(gateway, transport, { channel, token: tokens.get(who)!, since: '0.1.2' }),
    ),
  );
  for (const reader of readers) {
    await until(() => reader.events.length > 2, { description: 'three events' });
    for (const { event, payload, id = '' } of reader.events) {
      expect([event, id, problemsOf(AdminMachineEntity, payload as Json)]).toEqual(['machine', '', '']);
    }
  }
  expect(watched).toBe(1);
  for (const reader of readers) reader.close();
  await until(() => watched === 0, { description: 'nobody to watch' });
});

test.each(transports)('it ends with the permission, over %s', async (transport) => {
  const reader = await openStream(gateway, transport, { channel, token: tokens.get('helper')! });
  await reader.next(({ event }) => event === 'machine');
  await gateway.actors.call(Account.changeLogin.to(helper.id, { role: 'user' }));
  await until(() => watched === 0, { description: 'the end of the stream' });
  reader.close();
  await gateway.actors.call(Account.changeLogin.to(helper.id, { role: 'user', ...role }));
});

test('what is beyond all bounds, and hosts in trouble, can be said in JSON', async () => {
  const [view] = await machine.views();
  const lane = { host: 'slow.example', state: 'backing off' as const, pending: 3, hasMore: true, failures: 2 };
  const shown = adminMachineEntity({
    ...view!,
    turns: [{ message: 'account.publish', perSecond: 2, mean: 0.1, p99: Number.POSITIVE_INFINITY, share: 0.2 }],
    lanes: [{ ...lane, failingSince: 1_000, lastRefusal: { status: 403, at: 2_000 } }],
  } satisfies MachineView);
  expect(problemsOf(AdminMachineEntity, JSON.parse(JSON.stringify(shown)) as Json)).toBe('');
  expect(shown.turns).toMatchObject([{ p99_seconds: null, p99_beyond: true }]);
  expect(shown.lanes).toMatchObject([{ failing_since: '1970-01-01T00:00:01.000Z', next_attempt_at: null }]);
});

test('the example of the documentation is one', () => {
  const page = readFileSync(new URL('../../../docs/clients/streaming.md', import.meta.url), 'utf8');
  const [, , example = ''] = Array.from(page.matchAll(/```json\n(.*?)```/gs), ([, json]) => json!);
  expect(problemsOf(AdminMachineEntity, JSON.parse(example) as Json)).toBe('');
});
