/** An owner after the replacement of another thread: real partitions, no other threads. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { conditionName } from '../../../src/runtime/condition.ts';
import { allocateMetrics } from '../../../src/runtime/metrics/layout.ts';
import { Metrics } from '../../../src/runtime/metrics/metrics.ts';
import { readMetrics } from '../../../src/runtime/metrics/reading.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import type { Problem } from '../../../src/runtime/ports.ts';
import { LmdbLog } from '../../../src/runtime/storage/lmdb-log.ts';
import type { ReplyHandle } from '../../../src/runtime/storage/machine.ts';
import { systemClock } from '../../../src/runtime/threads/clock.ts';
import type { Link } from '../../../src/runtime/threads/link.ts';
import type { ThreadMessage } from '../../../src/runtime/threads/messages.ts';
import { OwnerService } from '../../../src/runtime/threads/owner.ts';
import type { Thread } from '../../../src/runtime/threads/thread.ts';
import { only } from '../../support/only.ts';
import { until } from '../../support/until.ts';
import { failCommits } from '../support/logs.ts';
import { act, Fetch, hear, Player, playerKeyspaces, playerOf, Scripts } from '../support/players.ts';
import { threadName } from '../support/roles.ts';

const counts = { owner: 2, network: 2, gateway: 1 };
const partitions = 2;
/** Of the owner under test, and of the other one. */
const alice = playerOf(0, partitions);
const bob = playerOf(1, partitions);
/** Whose effects the other network thread runs. */
const carol = playerOf(0, partitions, 1);

let folder: string;
let owner: OwnerService;
/** What was sent to each thread. */
let sent: Map<string, ThreadMessage[]>;
let links: Map<string, Link>;
let calls = 0;
/** What the next commits of the owner fail with. */
let failures: number[];
let reported: Problem[];
let metricsMemory: SharedArrayBuffer;

beforeEach(async () => {
  failures = [];
  reported = [];
  metricsMemory = allocateMetrics();
  folder = mkdtempSync(join(tmpdir(), 'murmuration-owner-'));
  sent = new Map();
  links = new Map();
  for (const [role, count] of Object.entries(counts)) {
    for (let index = 0; index < count; index += 1) {
      const messages: ThreadMessage[] = [];
      sent.set(`${role} ${index}`, messages);
      const backlog = { isFull: false };
      const send = (message: ThreadMessage) => void messages.push(message);
      links.set(
        `${role} ${index}`,
        only<Link>('link', { peer: threadName(role, index), backlog: only<Link['backlog']>('backlog', backlog), send }),
      );
    }
  }
  const thread = only<Thread<unknown>>('thread', {
    name: threadName('owner', 0),
    boot: 1,
    counts,
    metrics: new Metrics(metricsMemory),
    link: (role: string, index: number) => links.get(`${role} ${index}`)!,
    linkOfNumber: () => links.get('gateway 0')!,
    watch: undefined,
  });
  const scripts = new Scripts();
  scripts.define('tell bob', (turn, text) => turn.tell(hear(bob, 'note', text)));
  scripts.define('remind bob', (turn, text) => turn.schedule(turn.now + 3_600_000, hear(bob, 'note', text)));
  scripts.define('fetch', (turn, what) => turn.effect(Fetch, { what: what as string }, Player.answered));
  owner = new OwnerService(thread, {
    placement: evenPlacement(partitions, counts),
    actors: scripts.actors,
    keyspaces: playerKeyspaces,
    views: () => [],
    openLog: (partition, repeated) => {
      const log = new LmdbLog({ path: join(folder, `partition-${partition}`), mapBytes: 1 << 26, repeated });
      failCommits(log, () => failures.shift());
      return log;
    },
    lettersPathOf: (partition) => join(folder, `letters-${partition}`),
    report: (problem) => void reported.push(problem),
  });
  await owner.start();
});

afterEach(async () => {
  expect(reported).toEqual([]);
  await owner.stop();
  rmSync(folder, { recursive: true });
});

/** Makes a call, and waits for its answer. */
async function call(player: bigint, script: string, argument: string): Promise<void> {
  calls += 1;
  const number = calls;
  const deadline = Number.POSITIVE_INFINITY;
  owner.receive(
    {
      type: 'call',
      envelope: act(player, script, argument),
      flow: 'system',
      replyTo: [1, 0, number],
      deadline,
      bytes: 0,
    },
    links.get('gateway 0')!,
  );
  const isAnswered = (message: ThreadMessage) => message.type === 'reply' && message.handle[2] === number;
  await until(() => sent.get('gateway 0')!.some(isAnswered));
}

function framesTo(index: number): number[] {
  return sent.get(`owner ${index}`)!.flatMap((message) => (message.type === 'frame' ? [message.frame.sequence] : []));
}

function effectsOf(index: number): unknown[] {
  return sent.get(`network ${index}`)!.flatMap((message) => (message.type === 'effect' ? [message.request] : []));
}

test('what is asked of a partition that is with another owner is refused at once', () => {
  const gateway = links.get('gateway 0')!;
  const replyTo: ReplyHandle = [1, 0, 7];
  const common = { flow: 'system', replyTo, deadline: Number.POSITIVE_INFINITY, bytes: 0 };
  owner.receive({ type: 'call', envelope: act(bob, 'tell bob', 'hello'), ...common }, gateway);
  owner.receive({ type: 'control', partition: 1, view: 'feeds', request: {}, ...common }, gateway);
  owner.receive({ type: 'letters', partition: 1, order: { what: 'drop', sequences: [1] }, ...common }, gateway);
  const refused = { type: 'reply', handle: replyTo, result: { ok: false, failure: { code: 'storageUnavailable' } } };
  expect(sent.get('gateway 0')).toEqual([refused, refused, refused]);
});

test('a request to a view that comes after its deadline is not run', () => {
  const replyTo: ReplyHandle = [1, 0, 7];
  const control = { type: 'control', partition: 0, view: conditionName, request: {}, replyTo } as const;
  const now = systemClock.monotonic();
  owner.receive({ ...control, deadline: now }, links.get('gateway 0')!);
  owner.receive({ ...control, deadline: now + 60_000 }, links.get('gateway 0')!);
  const expired = { type: 'reply', handle: replyTo, result: { ok: false, failure: { code: 'expired' } } };
  expect(sent.get('gateway 0')).toEqual([
    expired,
    expect.objectContaining({ result: { ok: true, value: expect.anything() } }),
  ]);
});

test('another owner that was replaced is sent at once what the one before it may not have read', async () => {
  await call(alice, 'tell bob', 'hello');
  await call(alice, 'tell bob', 'are you there?');
  expect(framesTo(1)).toEqual([1, 2]);
  owner.attached(links.get('owner 1')!, false);
  expect(framesTo(1)).toEqual([1, 2]);
  owner.attached(links.get('owner 1')!, true);
  expect(framesTo(1)).toEqual([1, 2, 1, 2]);
});

test('a network thread that was replaced is asked again for its own effects, the others for nothing', async () => {
  await call(alice, 'fetch', 'a page');
  await call(carol, 'fetch', 'a picture');
  const [first, second] = [effectsOf(0), effectsOf(1)];
  expect([first.length, second.length]).toEqual([1, 1]);
  owner.attached(links.get('network 0')!, true);
  await until(() => effectsOf(0).length > 1);
  expect([effectsOf(0), effectsOf(1)]).toEqual([[...first, ...first], second]);
});

test('a timer rings soon after the wall clock was set ahead', async () => {
  await call(alice, 'remind bob', 'hello');
  expect(framesTo(1)).toEqual([]);
  const now = Date.now;
  const set = vi.spyOn(Date, 'now').mockImplementation(() => now() + 86_400_000);
  try {
    await until(() => framesTo(1).length > 0);
  } finally {
    set.mockRestore();
  }
  expect(framesTo(1)).toEqual([1]);
});

test('a commit in which LMDB itself failed is tried once more: its caller has the answer, the operator a sentence', async () => {
  failures.push(-30_781);
  await call(alice, 'tell bob', 'hello');
  expect(sent.get('gateway 0')).toMatchObject([{ type: 'reply', result: { ok: true } }]);
  expect(framesTo(1)).toEqual([1]);
  expect(reported.splice(0)).toMatchObject([
    {
      level: 'warn',
      message: 'LMDB failed in a commit of partition 0 and wrote nothing of it; it is tried once more',
      error: { code: -30_781 },
    },
  ]);
  const measured = readMetrics([{ title: 'owner 0', memory: metricsMemory }]);
  expect(measured.get('murmuration_append_repeats_total')?.series.map(({ value }) => value)).toEqual([1]);
});

test('where that fails as well the caller hears that nothing came of it, and what follows is written', async () => {
  failures.push(-30_781, -30_796);
  await call(alice, 'tell bob', 'hello');
  expect(sent.get('gateway 0')).toMatchObject([{ result: { ok: false, failure: { code: 'storageUnavailable' } } }]);
  expect(reported.splice(0).map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'LMDB failed in a commit of partition 0 and wrote nothing of it; it is tried once more'],
    ['error', 'partition 0 could not commit'],
  ]);
  await call(alice, 'tell bob', 'hello again');
  expect(framesTo(1)).toEqual([1]);
});
