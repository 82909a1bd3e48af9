/** The event logs as replays share them: whatever they read at the same time, each gets its part of the log. */
import { expect, test } from 'vitest';
import { statusDeleted } from '../../../src/actors/account/statuses/statuses.events.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import { streamLimits } from '../../../src/gateway/streaming/limits.ts';
import { SharedLog } from '../../../src/gateway/streaming/shared-log.ts';
import { pack } from '../../../src/runtime/codec.ts';
import type { Snapshots } from '../../../src/runtime/storage/snapshots.ts';
import { only } from '../../support/only.ts';

/** Commits of a log, some without events, and how many were read from it. */
function logOf(commits: number[], eventsPerCommit = 1) {
  const facts = { accountId: 1n, local: true, visibility: 'public', tags: [], mentions: [], hasMedia: false };
  const events = (commit: number) =>
    Array.from({ length: eventsPerCommit }, () => ({
      event: statusDeleted.number,
      body: { id: BigInt(commit), ...facts },
    }));
  const log = { commits, read: 0, shared: undefined as unknown as SharedLog };
  const partition = {
    *range(_space: unknown, _prefix: unknown, { from }: { from: number }) {
      for (const commit of log.commits) {
        if (commit < from) continue;
        log.read += 1;
        yield { key: [commit], value: pack({ at: 0, events: events(commit) }) };
      }
    },
  };
  const snapshots = only<Snapshots>('snapshots', { partitions: [partition] as never });
  log.shared = new SharedLog(only<GatewayServices>('services', { snapshots, client: {} as never }));
  return log;
}

const commits = Array.from({ length: 60 }, (_, index) => 3 * index + 2);
const after = (first: number) => commits.filter((commit) => commit >= first);
const read = (log: SharedLog, from: number, count = Number.POSITIVE_INFINITY): number[] => {
  const found: number[] = [];
  for (const { commit } of log.from(0, from)) {
    found.push(commit);
    if (found.length === count) break;
  }
  return found;
};

test('what one replay has read, the others do not read again', () => {
  const log = logOf([...commits]);
  expect(read(log.shared, 0)).toEqual(commits);
  for (const from of [0, 1, 2, 50, 80, 179]) expect(read(log.shared, from)).toEqual(after(from));
  expect(log.read).toBe(commits.length);
  log.commits.push(200, 205);
  expect(read(log.shared, 170).slice(-3)).toEqual([179, 200, 205]);
  expect(log.read).toBe(commits.length + 2);
  log.shared.clear();
  expect(read(log.shared, 201)).toEqual([205]);
});

test.each([
  [[50, 5, 100, 20]],
  [[100, 50, 5, 0]],
  [[0, 170, 60, 61, 62]],
])('replays that are interrupted and start anywhere get the whole of their part: %j', (starts) => {
  const log = logOf(commits);
  const positions = [...starts];
  const found: number[][] = starts.map(() => []);
  for (let round = 0; round < commits.length; round += 1)
    for (const [index, from] of positions.entries()) {
      const slice = read(log.shared, from, 1 + ((round + index) % 4));
      found[index]!.push(...slice);
      positions[index] = (slice.at(-1) ?? from - 1) + 1;
    }
  expect(found).toEqual(starts.map(after));
});

test('of a log that is longer than what may be kept, the rest is read by each', () => {
  const log = logOf(commits, Math.ceil(streamLimits.replayEventsSharedMax / 40));
  for (const from of [0, 0, 140, 5]) expect(read(log.shared, from)).toEqual(after(from));
  expect(log.read).toBeGreaterThan(commits.length);
});
