/** Where a stream may go on, and what asking for it may cost. */
import { expect, test } from 'vitest';
import type { Services } from '../../../src/gateway/services.ts';
import { streamLimits } from '../../../src/gateway/stream/limits.ts';
import { parsePositions } from '../../../src/gateway/stream/position.ts';
import { replay } from '../../../src/gateway/stream/replay.ts';
import type { Subscriber } from '../../../src/gateway/stream/subscriber.ts';

test.each([
  ['one position', '1.2.3', [{ partition: 1, commit: 2, index: 3 }]],
  ['one of each partition', '0.1.0,1.1.0', [0, 1].map((partition) => ({ partition, commit: 1, index: 0 }))],
  ['nothing', '', undefined],
  ['words', 'a.b.c', undefined],
  ['a number too many', '1.2.3.4', undefined],
  ['a number too large', '1.9999999999999999.0', undefined],
  ['a partition twice, which would be read twice', '1.2.3,1.2.3', undefined],
])('%s is read as a position, or not at all', (_what, text, positions) => {
  expect(parsePositions(text)).toEqual(positions);
});

/** A log of one partition whose commits, from `first` on, hold an event each that concerns nobody. */
function logOf(first: number, last: number): { services: Services; read(): number } {
  let read = 0;
  function* range(_space: unknown, _prefix: unknown, { from }: { from: number }) {
    for (let commit = Math.max(first, from); commit <= last; commit += 1) {
      read += 1;
      yield { key: [commit], value: { events: [{ event: 0, body: {} }] } };
    }
  }
  const snapshots = { fresh: () => undefined, partitions: [{ range }] };
  return { services: { snapshots, feeds: { partitionOf: () => 0 } } as unknown as Services, read: () => read };
}

const publicChannel = { channel: { kind: { audience: 'public' } }, connection: { grant: { accountId: 1n } } };
const subscriber = publicChannel as unknown as Subscriber;

test.each<[string, number, number, string | undefined]>([
  ['behind the last event', 1, 8, undefined],
  ['in a log that begins later', 6, 8, 'gap'],
  ['in a log that is empty', 1, 0, 'gap'],
  ['that never was', 1, 4, 'gap'],
  ['with endless events behind it', 1, Number.POSITIVE_INFINITY, 'gap'],
])('a position %s', (_what, first, last, event) => {
  const log = logOf(first, last);
  const { frames, reached } = replay(log.services, subscriber, [{ partition: 0, commit: 5, index: 0 }]);
  expect(frames.map((frame) => frame.event)).toEqual(event === undefined ? [] : [event]);
  expect(reached?.get(0)).toEqual(event === undefined ? { partition: 0, commit: last, index: 0 } : undefined);
  expect(log.read()).toBeLessThanOrEqual(streamLimits.replayEventsReadMax + 1);
});
