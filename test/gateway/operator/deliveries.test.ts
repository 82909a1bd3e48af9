/** Hosts whose deliveries fail, are refused, or wait: `deliveries list` and `deliveries retry`. */
import { expect, test } from 'vitest';
import { commands } from '../../../src/gateway/operator/commands/commands.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import type { LaneReport } from '../../../src/services/delivery-lanes.ts';
import { networkLanes } from '../../../src/services/network-lanes.ts';
import { Callers } from '../../operations/callers.ts';

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);

const fine: LaneReport = {
  host: 'fine.example',
  state: 'healthy',
  pending: 0,
  hasMore: false,
  failures: 0,
  failingSince: undefined,
  nextAttemptAt: undefined,
  lastAnswerAt: at('10:00:00'),
  refusals: 0,
  lastRefusal: undefined,
  lastError: undefined,
  lastDeliveredAt: undefined,
  waitingSince: undefined,
  isHeld: false,
};
const refusing = { ...fine, host: 'strict.example', refusals: 1, lastRefusal: { status: 401, at: at('09:00:00') } };
const failing = {
  ...({ ...fine, host: 'down.example', state: 'backing off', failures: 3, lastAnswerAt: undefined } as const),
  ...{ failingSince: at('08:00:00'), nextAttemptAt: at('11:00:00') },
};

/** What two network threads answer. */
async function listed(threads: readonly (readonly LaneReport[])[], flags: Record<string, string> = {}) {
  const { services } = new Callers();
  const ask = async (index: number) => threads[index] as never;
  const placement = evenPlacement(1, { owner: 1, network: threads.length });
  const { report } = services;
  Object.assign(services, { deliveryLanes: networkLanes(ask, { placement, networkThreads: threads.length, report }) });
  const list = commands.find(({ words }) => words === 'deliveries list')!;
  return (await list.run!(services, list.read('', flags))).lines;
}

test('hosts that fail come first, then those that refuse, then those with the most pending', async () => {
  const waiting = { ...fine, host: 'far.example', pending: 7, hasMore: true };
  expect(
    await listed([
      [fine, refusing],
      [waiting, failing],
    ]),
  ).toEqual([
    'down.example  backing off, 0 pending, failing since 2026-11-23T08:00:00.000Z (3 attempts), next attempt 2026-11-23T11:00:00.000Z, no answer yet',
    'strict.example  healthy, 0 pending, refused 1, last with 401 at 2026-11-23T09:00:00.000Z, last answer 2026-11-23T10:00:00.000Z',
    'far.example  healthy, 7 or more pending, last answer 2026-11-23T10:00:00.000Z',
    'fine.example  healthy, 0 pending, last answer 2026-11-23T10:00:00.000Z',
  ]);
});

test('the lanes that several partitions have to one host are added up', async () => {
  const here = { ...failing, host: 'one.example', pending: 2 };
  const there = { ...refusing, host: 'one.example', pending: 3, hasMore: true };
  const later = { ...refusing, host: 'one.example', lastRefusal: { status: 403, at: at('09:30:00') } };
  const line =
    'one.example  backing off, 5 or more pending, failing since 2026-11-23T08:00:00.000Z (3 attempts), next attempt 2026-11-23T11:00:00.000Z, refused 2, last with 403 at 2026-11-23T09:30:00.000Z, last answer 2026-11-23T10:00:00.000Z';
  expect(await listed([[here, there, later]])).toEqual([line]);
  expect(await listed([[later, there, here]])).toEqual([line]);
});

test('as many are shown as asked for', async () => {
  expect(await listed([[fine, refusing, failing]], { limit: '1' })).toEqual([
    expect.stringMatching(/^down\.example/),
    '2 more servers are doing better.',
  ]);
});

test('there may be none', async () => {
  expect(await listed([[], []])).toEqual(['Nothing was delivered to other servers since the start.']);
});

/** What `deliveries retry` prints where these threads have tried so many hosts each, and what they were asked. */
async function retried(host: string, threads: readonly number[]) {
  const { services } = new Callers();
  const asked: unknown[] = [];
  const ask = async (index: number, _topic: string, request: unknown) => {
    asked.push(request);
    return threads[index] as never;
  };
  const placement = evenPlacement(1, { owner: 1, network: threads.length });
  const { report } = services;
  Object.assign(services, { deliveryLanes: networkLanes(ask, { placement, networkThreads: threads.length, report }) });
  const retry = commands.find(({ words }) => words === 'deliveries retry')!;
  return { asked, printed: (await retry.run!(services, retry.read(host, {}))).lines };
}

test.each([
  ['Down.example', [0, 1], 'down.example', 'Deliveries to Down.example are tried.'],
  ['fine.example', [0, 0], 'fine.example', 'Deliveries to fine.example do not fail.'],
  ['down.example:8080', [1], 'down.example:8080', 'Deliveries to down.example:8080 are tried.'],
  ['all', [2, 3], undefined, 'Deliveries to 5 servers are tried.'],
  ['all', [0], undefined, 'No deliveries fail.'],
])('deliveries to %s are tried by the threads that they wait in', async (given, threads, host, sentence) => {
  const { asked, printed } = await retried(given, threads);
  expect(asked).toEqual(threads.map(() => ({ host })));
  expect(printed).toEqual([sentence]);
});

test('deliveries to what is no host are refused', async () => {
  await expect(retried('https://down.example/', [0])).rejects.toMatchObject({ code: 'validation' });
});
