/** Resuming streams: accepted positions, replayed events, and the cost of a replay. */
import { expect, test } from 'vitest';
import { statusDeleted } from '../../../src/actors/account/statuses/statuses.events.ts';
import { streamLimits } from '../../../src/gateway/streaming/limits.ts';
import { parsePositions } from '../../../src/gateway/streaming/position.ts';
import { eventRecords } from '../../../src/runtime/storage/machine.ts';
import { until } from '../../support/until.ts';
import { authorId, HubBed, type Reader } from './hub-bed.ts';

test.each([
  ['one position', '1.2.3', [{ partition: 1, commit: 2, index: 3 }]],
  ['one of each partition', '0.1.0,1.1.0', [0, 1].map((partition) => ({ partition, commit: 1, index: 0 }))],
  ['nothing', '', []],
  ['words', 'a.b.c', []],
  ['a number too many', '1.2.3.4', []],
  ['a number too large', '1.9999999999999999.0', []],
  ['a partition twice, which would be read twice', '1.2.3,1.2.3', []],
])('%s is read as a position, or not at all', (_what, text, positions) => {
  expect(parsePositions(text)).toEqual(positions);
});

/** Two partitions with an event each before anything is asked; they are commits 1 and 2. */
async function bedOfTwo(): Promise<{ bed: HubBed; live: Reader }> {
  const bed = new HubBed(2);
  const live = bed.open();
  await bed.begun();
  bed.happen(0, 1);
  bed.happen(1, 2);
  await until(() => live.received.length === 2);
  return { bed, live };
}

test('an event of a merged channel names how far all partitions had come', async () => {
  const { bed, live } = await bedOfTwo();
  bed.happen(0, 3);
  expect(live.received.map(({ id }) => id)).toEqual(['0.1.0,1.0.0', '0.1.0,1.2.0', '0.3.0,1.2.0']);
});

test('from each event on, a stream gets exactly those behind it, of all partitions', async () => {
  const { bed, live } = await bedOfTwo();
  for (let id = 3; id <= 20; id += 1) bed.happen((id * 7) % 3 === 0 ? 0 : 1, id);
  for (const [index, { id }] of live.received.slice(2).entries()) {
    const again = bed.open(id);
    await again.isLive();
    const behind = live.ids.slice(index + 3);
    expect(again.ids.toSorted((a, b) => a - b)).toEqual(behind);
    for (const event of again.received) expect(event.event).toBe('delete');
  }
});

test('a replay that is cut off goes on where it was', async () => {
  const { bed, live } = await bedOfTwo();
  for (let id = 3; id <= 12; id += 1) bed.happen(id % 2, id);
  const whole = bed.open(live.received[1]!.id);
  await whole.isLive();
  for (const [index, { id }] of whole.received.entries()) {
    const rest = bed.open(id);
    await rest.isLive();
    expect(rest.ids).toEqual(whole.ids.slice(index + 1));
  }
});

test('what happens during a replay comes once and behind it', async () => {
  const { bed, live } = await bedOfTwo();
  for (let id = 3; id <= 6; id += 1) bed.happen(id % 2, id);
  const again = bed.open(live.received[1]!.id);
  again.hasRoom = false;
  bed.happen(0, 7);
  bed.happen(1, 8);
  expect(again.received).toEqual([]);
  again.hasRoom = true;
  bed.hub.drained();
  await again.isLive();
  bed.happen(1, 9);
  expect(again.ids.toSorted((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 9]);
  expect(again.ids.at(-1)).toBe(9);
  expect(again.received.at(-1)!.id).toBe(live.received.at(-1)!.id);
});

test('an event that the client got from another gateway does not come again', async () => {
  const { bed } = await bedOfTwo();
  const late = bed.log(1, 3);
  const again = bed.open(`0.1.0,1.${late.commit}.0`);
  bed.happen(0, 4);
  bed.dispatch(late);
  await again.isLive();
  bed.happen(1, 5);
  expect(again.ids).toEqual([4, 5]);
});

test('what an owner thread published to nobody before it died comes all the same, once', async () => {
  const { bed, live } = await bedOfTwo();
  bed.log(1, 3);
  bed.ownerReplaced();
  const opened = bed.open();
  await Promise.all([live.isLive(), opened.isLive()]);
  bed.happen(1, 4);
  expect(live.ids).toEqual([1, 2, 3, 4]);
  expect(opened.ids).toEqual([3, 4]);
});

test.each([
  ['that names one partition only', '0.1.0'],
  ['that is none', 'nonsense'],
  ['that never was', '0.1.0,1.999.0'],
  ['behind which there is too much', '0.1.0,1.2.0'],
])('a position %s is answered with a gap, and what comes then comes', async (what, since) => {
  const { bed } = await bedOfTwo();
  bed.happen(1, 3);
  const many = what.includes('too much') ? streamLimits.replayEventsReadMax : 0;
  for (let id = 4; id < 4 + many; id += 1) bed.happen(0, id);
  const again = bed.open(since);
  await again.isLive();
  bed.happen(0, 99);
  const [gap, ...rest] = again.received.slice(-2);
  expect(gap).toMatchObject({ event: 'gap', payload: '{}' });
  expect(rest.map(({ payload }) => payload)).toEqual(['99']);
  const behindGap = bed.open(gap!.id);
  await behindGap.isLive();
  expect(behindGap.ids).toEqual([99]);
});

test.each<[string, string | undefined, (bed: HubBed) => void]>([
  ['that was trimmed up to the position', undefined, (bed) => bed.trim(1)],
  [
    'that was emptied while nothing was missed',
    undefined,
    (bed) => {
      bed.trim(0);
      bed.trim(1);
    },
  ],
  ['that has not been trimmed, from before its first event', '0.1.0,1.1.0', () => undefined],
])('a log %s brings no gap', async (_what, since, trim) => {
  const { bed, live } = await bedOfTwo();
  trim(bed);
  bed.happen(0, 3);
  const again = bed.open(since ?? live.received[1]!.id);
  await again.isLive();
  expect(again.received.map(({ event }) => event)).not.toContain('gap');
  expect(again.ids).toContain(3);
});

test.each<[string, (bed: HubBed) => void]>([
  ['that was trimmed behind the position', () => undefined],
  ['that an earlier version trimmed', (bed) => bed.forgetTrimmed(0)],
])('a log %s brings a gap', async (_what, trimmed) => {
  const { bed, live } = await bedOfTwo();
  bed.happen(0, 3);
  bed.happen(0, 4);
  bed.trim(0);
  bed.trim(0);
  trimmed(bed);
  const again = bed.open(live.received[1]!.id);
  await again.isLive();
  expect(again.received.map(({ event }) => event)).toEqual(['gap']);
});

test.each<[string, (bed: HubBed) => void]>([
  ['an event that another version wrote in its own way', (bed) => bed.logForeign(0, statusDeleted.number)],
  ['an event that only another version knows', (bed) => bed.logForeign(0, 9_999)],
  ['a damaged record of the log', (bed) => bed.logDamaged(0)],
  ['a record that the disk does not give', (bed) => bed.logUnread(0)],
])('%s brings a gap', async (_what, log) => {
  const { bed, live } = await bedOfTwo();
  log(bed);
  bed.happen(0, 3);
  const again = bed.open(live.received[1]!.id);
  await again.isLive();
  bed.happen(0, 4);
  expect(again.received.map(({ event: name, payload }) => (name === 'gap' ? name : payload))).toEqual(['gap', '4']);
});

test('a damaged record of the log is told to the owner of its partition', async () => {
  const { bed, live } = await bedOfTwo();
  bed.logDamaged(1);
  bed.happen(1, 3);
  await bed.open(live.received[1]!.id).isLive();
  expect(bed.damageMet).toEqual([[1, eventRecords.encode([bed.logs[1]!.at(-2)!.commit])]]);
});

test('what waits to be written is written before the answer to a block can leave', async () => {
  const { bed, live } = await bedOfTwo();
  bed.mute(2n);
  bed.happen(0, 4);
  expect(live.flushedAt).toEqual([2]);
});

test('a deletion reaches those who hide the author now, live and by a replay', async () => {
  const { bed, live } = await bedOfTwo();
  bed.mute(authorId);
  bed.happen(0, 4);
  const again = bed.open(live.received[1]!.id);
  await again.isLive();
  expect(live.ids).toEqual([1, 2, 4]);
  expect(again.ids).toEqual([4]);
});

test('a replay sends so many events at most, and a gap where there are more', async () => {
  const { bed, live } = await bedOfTwo();
  const since = live.received[1]!.id;
  for (let id = 3; id < 3 + streamLimits.replayEventsMax; id += 1) bed.happen(id % 2, id);
  const whole = bed.open(since);
  await whole.isLive();
  expect(whole.ids).toHaveLength(streamLimits.replayEventsMax);
  bed.happen(0, 3 + streamLimits.replayEventsMax);
  const more = bed.open(since);
  await more.isLive();
  expect(more.received.map(({ event }) => event).filter((name) => name === 'gap')).toEqual(['gap']);
  expect(more.received.at(-1)).toMatchObject({ event: 'gap' });
  expect(more.received).toHaveLength(streamLimits.replayEventsMax + 1);
});

test('a long replay lets other work pass', async () => {
  const { bed, live } = await bedOfTwo();
  for (let id = 3; id < streamLimits.replayEventsMax; id += 1) bed.happen(id % 2, id);
  const readers = Array.from({ length: 20 }, () => bed.open(live.received[1]!.id));
  let longest = 0;
  let turns = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
    turns += 1;
    if (readers.some(({ subscriber }) => subscriber!.replay !== undefined)) setImmediate(look);
  };
  setImmediate(look);
  await Promise.all(readers.map((reader) => reader.isLive()));
  for (const reader of readers) expect(reader.ids.length).toBe(streamLimits.replayEventsMax - 3);
  expect(turns).toBeGreaterThan(10);
  // In milliseconds of CPU. Many slices, because of the garbage collector; whole replays take longer still.
  expect(longest).toBeLessThan(streamLimits.replaySliceMilliseconds * 60);
});
