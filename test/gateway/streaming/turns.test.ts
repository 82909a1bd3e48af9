/** Writes and heartbeats of many streams are spread over time, so that they do not delay other work. */

import { afterEach, expect, test, vi } from 'vitest';
import type { StatusFacts } from '../../../src/actors/account/statuses/statuses.events.ts';
import type { StreamingApp } from '../../../src/gateway/http/native-apps.ts';
import { channelOf } from '../../../src/gateway/streaming/channels.ts';
import { StreamFrame } from '../../../src/gateway/streaming/frame.ts';
import { Heartbeats } from '../../../src/gateway/streaming/heartbeats.ts';
import { streamLimits } from '../../../src/gateway/streaming/limits.ts';
import { Payload } from '../../../src/gateway/streaming/payloads.ts';
import { PublicGroups } from '../../../src/gateway/streaming/public-groups.ts';
import { type Connection, Subscriber } from '../../../src/gateway/streaming/subscriber.ts';
import { Viewer } from '../../../src/gateway/streaming/viewer.ts';
import { type Writer, WriteScheduler } from '../../../src/gateway/streaming/write-scheduler.ts';
import { only } from '../../support/only.ts';
import { until } from '../../support/until.ts';

afterEach(() => void vi.useRealTimers());

/** Writes what it was given, and takes as long as a system call on a busy machine. */
class SlowWriter implements Writer {
  readonly writes: number[][] = [];
  private readonly scheduler: WriteScheduler;
  private queue: number[] = [];

  constructor(scheduler: WriteScheduler) {
    this.scheduler = scheduler;
  }

  give(frame: number): void {
    if (this.queue.length === 0) this.scheduler.add(this);
    this.queue.push(frame);
  }

  flush(): boolean {
    const end = performance.now() + streamLimits.writeSliceMilliseconds / 8;
    while (performance.now() < end);
    this.writes.push(this.queue);
    this.queue = [];
    return false;
  }
}

test('frames that arrive before a writer has its turn are sent in one write', async () => {
  const scheduler = new WriteScheduler();
  const writers = Array.from({ length: 200 }, () => new SlowWriter(scheduler));
  for (const writer of writers) writer.give(1);
  await until(() => writers[0]!.writes.length > 0);
  for (const writer of writers) writer.give(2);
  await until(() => writers.every(({ writes }) => writes.flat().length === 2));
  for (const { writes } of writers) expect(writes.flat()).toEqual([1, 2]);
  expect(writers[0]!.writes).toEqual([[1], [2]]);
  expect(writers.at(-1)!.writes).toEqual([[1, 2]]);
});

test('a flush writes what waits at once, and only once', async () => {
  const scheduler = new WriteScheduler();
  const writers = Array.from({ length: 20 }, () => new SlowWriter(scheduler));
  for (const writer of writers) writer.give(1);
  scheduler.flush();
  expect(writers.map(({ writes }) => writes)).toEqual(writers.map(() => [[1]]));
  for (const writer of writers) writer.give(2);
  await until(() => writers.every(({ writes }) => writes.length === 2));
  expect(writers.map(({ writes }) => writes)).toEqual(writers.map(() => [[1], [2]]));
});

test('a writer that fills its slice is the last of it', async () => {
  const scheduler = new WriteScheduler();
  const order: string[] = [];
  for (const name of ['first', 'second'])
    scheduler.add({
      flush() {
        order.push(name);
        setImmediate(() => order.push(`after the ${name}`));
        return true;
      },
    });
  await until(() => order.length === 4);
  expect(order).toEqual(['first', 'after the first', 'second', 'after the second']);
});

test('sockets share topics of a bounded size, and get what was published while they were members, and no more', () => {
  const log: string[] = [];
  const publish = (topic: string) => log.push(`publish ${topic}`) > 0;
  const app = only<StreamingApp>('app', { publish });
  const groups = new PublicGroups(app, new WriteScheduler());
  const connection = only<Connection>('connection', {
    joinTopic: (topic: string) => void log.push(`join ${topic}`),
    leaveTopic: (topic: string) => void log.push(`leave ${topic}`),
  });
  const open = () => {
    const subscriber = new Subscriber(connection, channelOf('public')!, new Viewer(1n));
    groups.join(subscriber);
    return subscriber;
  };
  const first = open();
  while (log.length < streamLimits.shardSocketsMax) open();
  open();
  expect(log.slice(-2)).toEqual(['join 1', 'join 2']);
  const whose = { id: 1n, accountId: 2n, local: true } as const;
  const facts: StatusFacts = { ...whose, visibility: 'public', tags: [], mentions: [], hasMedia: false };
  const [group] = groups.carrying({ name: 'update', status: facts });
  const shared = new StreamFrame('delete', new Payload('1'), { own: '0.1.0', merged: '0.1.0' });
  groups.send(group!, { shared, of: () => shared }, undefined, 0);
  groups.leave(first);
  open();
  expect(log.slice(-3)).toEqual(['publish 1', 'leave 1', 'join 1']);
});

test('each stream beats once in a round, until it ends, by one timer', () => {
  vi.useFakeTimers();
  const heartbeats = new Heartbeats();
  const beats = [0, 0];
  const ends = beats.map((_, index) => {
    const end = heartbeats.add({
      beat() {
        beats[index]! += 1;
      },
    });
    vi.advanceTimersByTime(streamLimits.heartbeatMilliseconds / 3);
    return end;
  });
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(streamLimits.heartbeatMilliseconds * 2);
  expect(beats).toEqual([2, 2]);
  ends[0]!();
  vi.advanceTimersByTime(streamLimits.heartbeatMilliseconds);
  expect(beats).toEqual([2, 3]);
  ends[1]!();
  expect(vi.getTimerCount()).toBe(0);
});
