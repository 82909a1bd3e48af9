/** What the machine does, from the metrics of threads to the page of staff and `murmuration top`. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AdminConnection } from '../../../../src/gateway/operator/admin/client.ts';
import { type Terminal, topOnce, watchTop } from '../../../../src/gateway/operator/cli/top.ts';
import { topLines } from '../../../../src/gateway/operator/cli/top-lines.ts';
import { Machine } from '../../../../src/gateway/operator/machine/machine.ts';
import { machineView } from '../../../../src/gateway/operator/machine/machine-view.ts';
import type { MachineSample } from '../../../../src/gateway/operator/machine/sample.ts';
import { allocateMetrics } from '../../../../src/runtime/metrics/layout.ts';
import { counter, gauge, histogram, secondsBuckets } from '../../../../src/runtime/metrics/metric.ts';
import { Metrics } from '../../../../src/runtime/metrics/metrics.ts';
import type { LaneReport } from '../../../../src/services/delivery-lanes.ts';
import { until } from '../../../support/until.ts';

const buckets = secondsBuckets;
const turns = histogram({ name: 'turn', unit: 'seconds', labels: ['message'], help: 'Turns', buckets });
const appends = histogram({ name: 'append', unit: 'seconds', labels: ['partition'], help: 'Commits', buckets });
const waiting = gauge({ name: 'mailbox_calls', labels: ['partition'], help: 'Calls' });
const oldest = gauge({ name: 'inbox_oldest_message', unit: 'seconds', labels: ['partition'], help: 'Oldest' });
const mailboxes = gauge({ name: 'mailbox_messages', labels: ['partition', 'actor'], help: 'Waiting' });
const longest = gauge({ name: 'mailbox_longest', labels: ['partition', 'actor'], help: 'Longest' });
const memoryMax = gauge({ name: 'memory_max', unit: 'bytes', help: 'Bound' });
const held = gauge({ name: 'cache', unit: 'bytes', labels: ['cache'], help: 'Held' });
const most = gauge({ name: 'cache_max', unit: 'bytes', labels: ['cache'], help: 'Bound' });
const events = counter({ name: 'events', labels: ['partition'], help: 'Events' });
const channels = gauge({ name: 'stream_channels', labels: ['channel'], help: 'Channels' });
const unsent = gauge({ name: 'stream_channel', unit: 'bytes', labels: ['channel'], help: 'Unsent' });

const failing: LaneReport = {
  ...{ host: 'slow.example', state: 'backing off', pending: 7, hasMore: true, failures: 3, failingSince: 5_000 },
  ...{
    nextAttemptAt: 90_000,
    lastAnswerAt: undefined,
    refusals: 0,
    lastRefusal: { status: 403, at: 6_000 },
    lastError: { status: undefined, fault: 'timedOut', at: 9_000 },
    lastDeliveredAt: undefined,
    waitingSince: 4_000,
    isHeld: false,
  },
};

/** Two threads that measure, and a clock. */
function rig({ pauseMilliseconds = 5 } = {}) {
  const memories = [allocateMetrics(), allocateMetrics()];
  const [one, two] = memories.map((memory) => new Metrics(memory)) as [Metrics, Metrics];
  const clock = { now: 10_000 };
  const asked = { lanes: 0 };
  const machine = new Machine({
    measured: memories.map((memory, index) => ({ title: `owner ${index}`, memory })),
    figures: () => ({ uptimeSeconds: 1, cpuSeconds: 0.5, cpuWaitSeconds: 0, anonymousBytes: 1_024, mappedBytes: 0 }),
    async lanes() {
      asked.lanes += 1;
      return [failing];
    },
    now: () => clock.now,
    report: ({ message }) => {
      throw new Error(message);
    },
    pauseMilliseconds,
  });
  return { one, two, clock, asked, machine };
}

describe('a view of the machine', () => {
  test('has the rates between two samples, over all threads', async () => {
    const { one, two, clock, machine } = rig();
    for (const metrics of [one, two]) metrics.histogram(turns, 'account.publish').observe(0.002);
    one.histogram(appends, '0').observe(0.001);
    const before = await machine.sample();
    clock.now += 2_000;
    for (const metrics of [one, two]) metrics.histogram(turns, 'account.publish').observe(0.1);
    two.histogram(turns, 'account.follow').observe(0.4);
    for (let commit = 0; commit < 10; commit += 1) one.histogram(appends, '0').observe(0.003);
    one.gauge(waiting, '0').set(4);
    one.gauge(oldest, '0').set(7);
    for (const [metrics, count] of [
      [one, 3],
      [two, 5],
    ] as const) {
      metrics.gauge(mailboxes, String(count), 'account').set(count);
      metrics.gauge(longest, String(count), 'account').set(count - 1);
    }
    one.gauge(mailboxes, '0', 'blob').set(0);
    one.gauge(memoryMax).set(4_096);
    two.gauge(unsent, 'user').set(70);
    one.gauge(held, 'homes').set(90);
    one.gauge(most, 'homes').set(100);
    one.counter(events, '0').add(6);
    two.gauge(channels, 'user').set(3);
    two.gauge(channels, 'list').set(0);
    const view = machineView(await machine.sample(), before);
    expect(view.turns).toMatchObject([
      { message: 'account.follow', perSecond: 0.5, share: 0.2, p99: 0.5 },
      { message: 'account.publish', perSecond: 1, share: expect.closeTo(0.1, 5), mean: expect.closeTo(0.1, 5) },
    ]);
    expect(view.partitions).toMatchObject([
      { number: '0', perSecond: 5, p99: 0.005, calls: 4, oldestMessageSeconds: 7 },
    ]);
    expect(view.caches).toEqual([{ name: 'homes', bytes: 90, bytesMax: 100 }]);
    expect([view.eventsPerSecond, view.commitsPerSecond, view.turnsPerSecond]).toEqual([3, 5, 1.5]);
    expect(view.channels).toEqual([{ name: 'user', count: 3, bytes: 70 }]);
    const busy = { waiting: 8, longest: 4, turnsPerSecond: 1.5, share: expect.closeTo(0.3, 5) };
    expect(view.actors).toEqual([
      { kind: 'account', ...busy },
      { kind: 'blob', waiting: 0, longest: 0, turnsPerSecond: 0, share: 0 },
    ]);
    expect(view.memory).toMatchObject({ anonymous: 1_024, max: 4_096 });
    expect(view.lanes).toMatchObject([
      { host: 'slow.example', state: 'backing off', pending: 7, waitingSince: 4_000, lastError: { fault: 'timedOut' } },
    ]);
  });

  test('sees what begins to be measured later, and forgets nothing that a replaced thread had counted', async () => {
    const { one, machine } = rig();
    one.histogram(turns, 'account.publish').observe(0.1);
    expect(Object.keys((await machine.sample()).turns)).toEqual(['account.publish']);
    one.histogram(turns, 'account.block').observe(0.1);
    const later = await machine.sample();
    expect(Object.keys(later.turns)).toEqual(['account.publish', 'account.block']);
    const less: MachineSample = { ...later, at: later.at + 1_000, turns: {} };
    expect(machineView(less, later).turns).toEqual([]);
  });

  test('is taken while somebody watches, for all watchers together, and lanes are asked for less often', async () => {
    const { machine, clock, asked } = rig();
    const seen = { first: 0, second: 0 };
    const looks = () => seen.first;
    const endFirst = machine.watch((history) => {
      seen.first = history.length;
    });
    const endSecond = machine.watch((history) => {
      seen.second = history.length;
    });
    await until(() => looks() > 3);
    expect(seen.second).toBe(seen.first);
    expect(asked.lanes).toBe(1);
    clock.now += 5_000;
    await until(() => asked.lanes === 2);
    expect((await machine.views()).length).toBeGreaterThan(3);
    endFirst();
    endSecond();
    // Nothing is left: the next view is that since the start.
    expect((await machine.views()).length).toBe(1);
  });
});

describe('murmuration top', () => {
  const admin = (machine: Machine): AdminConnection => ({
    request: async () => ({ ok: true, lines: [], machine: await machine.sample() }),
    close: async () => undefined,
  });

  function terminal(columns: number, rows: number) {
    const heard: { key: (text: string) => void; resized: () => void }[] = [];
    const written: string[] = [];
    const screen = {
      ...{ columns, rows },
      write: (text: string) => void written.push(text),
      listen(key: (text: string) => void, resized: () => void) {
        heard.push({ key, resized });
        return () => void heard.pop();
      },
    } satisfies Terminal & Record<string, unknown>;
    return { screen, heard, written };
  }

  test('prints the state once, as text or as JSON', async () => {
    const { machine, one } = rig();
    one.histogram(turns, 'account.publish').observe(0.1);
    const lines = await topOnce(admin(machine), false, 1);
    expect(lines.join('\n')).toMatch(/slow\.example +backing off +7\+ +00:00:06 +1970-01-01T00:00 +timedOut/);
    expect(lines.join('\n')).not.toContain('\u001b');
    const [json, ...rest] = await topOnce(admin(machine), true, 1);
    expect([JSON.parse(json!), rest]).toMatchObject([{ lanes: [{ host: 'slow.example' }] }, []]);
    const refusing = { request: async () => ({ ok: false, sentence: 'No.' }), close: async () => undefined };
    await expect(topOnce(refusing, true, 1)).rejects.toThrow('No.');
  });

  test('fits the terminal, also after it was resized, and ends with q', async () => {
    const { machine, one } = rig();
    for (let index = 0; index < 30; index += 1) one.histogram(turns, `account.message${index}`).observe(0.1);
    const { screen, heard, written } = terminal(60, 12);
    const shown = watchTop(admin(machine), screen, new AbortController().signal, 5);
    await until(() => written.length > 2);
    const linesOf = (text: string) => text.split('\r\n').map((line) => stripVTControlCharacters(line));
    expect(linesOf(written.at(-1)!).length).toBeLessThanOrEqual(12);
    expect(Math.max(...linesOf(written.at(-1)!).map(({ length }) => length))).toBeLessThanOrEqual(60);
    Object.assign(screen, { columns: 100, rows: 40 });
    heard[0]!.resized();
    expect(linesOf(written.at(-1)!).length).toBeGreaterThan(12);
    heard[0]!.key('x');
    heard[0]!.key('q');
    await shown;
    expect(heard).toEqual([]);
    expect(written.at(-1)).toBe('\u001b[?25h\u001b[?1049l');
  });

  test('gives the room that a list does not need to the others', async () => {
    const { machine, one } = rig();
    for (let index = 0; index < 30; index += 1) one.gauge(held, `cache${index}`).set(1);
    const view = machineView(await machine.sample());
    const lines = topLines(view, { columns: 120, rows: 40, isPlain: true });
    expect(lines.length).toBe(40);
    expect(lines.filter((line) => line.startsWith('cache')).length).toBeGreaterThan(20);
    expect(topLines(view, { columns: 10, rows: 3, isPlain: true }).length).toBe(3);
  });

  test('ends when it is interrupted', async () => {
    const { machine } = rig();
    const interruption = new AbortController();
    onTestFinished(() => interruption.abort());
    const { screen } = terminal(80, 24);
    const shown = watchTop(admin(machine), screen, interruption.signal, 60_000);
    interruption.abort();
    await shown;
  });
});
