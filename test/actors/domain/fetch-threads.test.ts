/** The host of a status that somebody has opened fetches its thread, step by step. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import { Domain } from '../../../src/actors/domain/domain.messages.ts';
import { threadLimits } from '../../../src/actors/domain/threads/limits.ts';
import { fetchThreadStep } from '../../../src/actors/domain/threads/threads.effects.ts';
import type {
  FoundStep,
  ThreadStepped,
  ThreadStepRequest,
} from '../../../src/actors/domain/threads/threads.messages.ts';
import { findThreadProgress } from '../../../src/actors/domain/threads/threads.queries.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';
import { entryCounts } from '../../support/entry-counts.ts';
import type { MemoryStore } from '../../support/memory-log.ts';
import { assertSound } from '../../support/sound.ts';

const host = 'remote.example';
const minute = 60_000;
const statusId = 1n;
const request = { statusId, uri: url('root'), ageMilliseconds: 15 * minute, requestsMax: 50, requestsPerHostMax: 30 };

let server: TestServer;
let answered: Set<unknown>;

beforeEach(() => {
  server = createTestServer({ actors, keyspaces });
  answered = new Set();
});

afterEach(() => {
  expect(server.problems).toEqual([]);
  assertSound(server.disks);
});

function url(name: string | number, at = host): string {
  return `https://${at}/${name}`;
}

const open = (more: Partial<typeof request> = {}) => server.call(Domain.fetchThread.to(host, { ...request, ...more }));
const waiting = () => server.effects.filter((asked) => asked.effect === fetchThreadStep.number && !answered.has(asked));
const asked = () => waiting().map((one) => (one.request as ThreadStepRequest).step.url);
const statuses = (...urls: string[]): FoundStep[] => urls.map((one) => ({ kind: 'status', url: one, depth: 1 }));

/** The oldest step that waits is over. */
function answer(more: Partial<ThreadStepped> = {}): void {
  const [first] = waiting();
  answered.add(first);
  const { statusId: id, startedAt, step } = first!.request as ThreadStepRequest;
  const plain = { outcome: 'done', stored: 0, moreRequests: 0, found: [] } as const;
  first!.answer({ statusId: id, startedAt, step, ...plain, ...more });
  server.settle();
}

const progress = () => findThreadProgress(server.read, host, statusId);

test('some steps at a time, unknown statuses before known ones, and nothing is left in the end', async () => {
  await open();
  const known = { ...statuses(url('known'))[0]!, isKnown: true };
  const next: FoundStep = { kind: 'page', url: url('page'), depth: 1, page: 1 };
  answer({ found: [known, ...statuses(url(1), url(2), url(3), url(1)), next] });
  expect(asked()).toEqual([url('page'), url(1), url(2), url(3)]);
  for (let steps = 0; steps < 4; steps += 1) answer({ stored: steps === 0 ? 0 : 1 });
  expect([asked(), progress()]).toEqual([[url('known')], { isRunning: true, stored: 3, isCut: false }]);
  answer();
  expect(progress()).toEqual({ isRunning: false, stored: 3, isCut: false });
  server.clock.advance(16 * minute);
  expect(entryCounts(server)).toEqual({});
});

test('what was under way goes on after the process was killed, and asks for nothing twice that was answered', async () => {
  await open();
  answer({ found: statuses(url(1), url(2), url(3), url(4), url(5)) });
  answer({ stored: 1 });
  expect(asked()).toEqual([url(2), url(3), url(4), url(5)]);
  server = createTestServer({ actors, keyspaces, disks: server.disks as readonly MemoryStore[] });
  expect(asked()).toEqual([url(2), url(3), url(4), url(5)]);
  answer({ stored: 1, found: statuses(url(1), url('new')) });
  expect(asked()).toEqual([url(3), url(4), url(5), url('new')]);
  while (waiting().length > 0) answer();
  expect(progress()).toEqual({ isRunning: false, stored: 2, isCut: false });
});

test('no more requests than allowed, in all and to one host', async () => {
  await open();
  answer({ found: statuses(...Array.from({ length: 40 }, (_, index) => url(index))) });
  let requests = 1;
  for (; waiting().length > 0; requests += 1) answer();
  expect([requests, progress()?.isCut]).toEqual([request.requestsPerHostMax, true]);
  server.clock.advance(15 * minute);
  await open();
  const hosts = Array.from({ length: 90 }, (_, index) => url('x', `host-${index}.example`));
  answer({ found: statuses(...hosts) });
  for (requests = 1; waiting().length > 0; requests += 1) answer();
  expect(requests).toBe(request.requestsMax);
});

test('a host that fails is left alone, one that is busy is asked later', async () => {
  await open();
  const dead = Array.from({ length: 9 }, (_, index) => url(index, 'dead.example'));
  answer({ found: statuses(...dead, url('x', 'busy.example')) });
  for (let failures = 0; failures < threadLimits.failuresMax + threadLimits.runningMax - 1; failures += 1)
    answer({ outcome: 'failed' });
  expect(asked()).toEqual([url('x', 'busy.example')]);
  answer({ outcome: 'busy' });
  expect(asked()).toEqual([]);
  server.clock.advance(threadLimits.busyMilliseconds);
  expect(asked()).toEqual([url('x', 'busy.example')]);
  answer();
  expect(progress()).toMatchObject({ isRunning: false });
});

test('it ends when the host is suspended, or after some minutes, and a late answer changes nothing', async () => {
  await open();
  answer({ found: statuses(url(1), url(2)) });
  answer({ outcome: 'blocked' });
  expect(progress()).toMatchObject({ isRunning: false, isCut: true });
  answer({ stored: 1 });
  expect(progress()).toMatchObject({ isRunning: false, stored: 0 });
  server.clock.advance(15 * minute);
  await open();
  server.clock.advance(threadLimits.lifetimeMilliseconds);
  expect(progress()).toMatchObject({ isRunning: false, isCut: true });
  answer({ found: statuses(url(1)) });
  expect(asked()).toEqual([]);
});

test('so many threads of a host at a time', async () => {
  for (let id = 1n; id <= BigInt(threadLimits.perHostMax) + 2n; id += 1n) await open({ statusId: id });
  expect(waiting()).toHaveLength(threadLimits.perHostMax);
  await open();
  expect(waiting()).toHaveLength(threadLimits.perHostMax);
});

test('addresses that are too far, or too many, are left out', async () => {
  await open();
  const far: FoundStep[] = [
    { kind: 'status', url: url('deep'), depth: threadLimits.depthMax + 1 },
    { kind: 'ancestor', url: url('high'), depth: threadLimits.ancestorsMax + 1 },
    { kind: 'page', url: url('page'), depth: 1, page: threadLimits.pagesMax + 1 },
  ];
  answer({ found: far });
  expect([asked(), progress()]).toEqual([[], { isRunning: false, stored: 0, isCut: true }]);
});
