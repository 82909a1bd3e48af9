/** The queues of a partition as its metrics tell them: how much waits in each, and for how long. */
import { beforeEach, expect, test } from 'vitest';
import { threadLimits } from '../../../src/runtime/limits.ts';
import { allocateMetrics } from '../../../src/runtime/metrics/layout.ts';
import { Metrics } from '../../../src/runtime/metrics/metrics.ts';
import { readMetrics } from '../../../src/runtime/metrics/reading.ts';
import { StorageFailure } from '../../../src/runtime/storage/log.ts';
import { samplePartition } from '../../../src/runtime/threads/owner-metrics.ts';
import { act, Fetch, hear, notes, Player, playerOf } from '../support/players.ts';
import { Rig, type Seat } from '../support/rig.ts';

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);

let rig: Rig;
let seat: Seat;
let memory: SharedArrayBuffer;
let metrics: Metrics;

beforeEach(() => {
  rig = new Rig(2);
  seat = rig.seat;
  rig.scripts.define('tell', (turn, text) => turn.tell(hear(bob, 'note', text)));
  rig.scripts.define('tell myself', (turn, script) => turn.tell(hear(alice, script as string, undefined)));
  rig.scripts.define('blind', () => {
    throw new StorageFailure(new Error('EIO'));
  });
  rig.scripts.define('fail', () => {
    throw new Error('it fell');
  });
  rig.scripts.define('fetch', (turn) => turn.effect(Fetch, { what: 'page' }, Player.answered));
  rig.scripts.define('look', (turn) => turn.get(notes, [alice, 1]));
  rig.scripts.define('write', (turn) => turn.put(notes, [alice, 1], 'a note'));
  memory = allocateMetrics();
  metrics = new Metrics(memory);
  samplePartition(metrics, seat.partition, [Player.actor]);
});

/** What is not zero, by the name of its metric. */
function told(): Record<string, number> {
  metrics.sample();
  const families = [...readMetrics([{ title: 'owner 0', memory }])];
  const sums = families.map(([name, { series }]) => [
    name.replace('murmuration_', ''),
    series.reduce((sum, { value }) => sum + value, 0),
  ]);
  return Object.fromEntries(sums.filter(([, value]) => value !== 0));
}

test('an idle partition has nothing to tell', () => {
  expect(told()).toEqual({});
});

test('calls, and how long the oldest has waited', () => {
  const call = () => rig.call(act(alice, 'look'), 'account:1', rig.monotonic + threadLimits.callBeginMilliseconds);
  call();
  rig.elapse(2_000);
  call();
  rig.elapse(500);
  expect(told()).toEqual({
    ...{ mailbox_calls: 2, mailbox_calls_bytes: expect.any(Number) },
    mailbox_oldest_call_seconds: 2.5,
    ...{ mailbox_messages: 2, mailbox_longest: 2 },
  });
  rig.settle();
  expect(told()).toEqual({});
});

test('what waits for all actors of a kind, and for the one that has the most, whoever sends it', () => {
  const call = (who: bigint, flow: string) =>
    rig.call(act(who, 'look'), flow, rig.monotonic + threadLimits.callBeginMilliseconds);
  for (const flow of ['account:1', 'account:2', 'account:3']) call(alice, flow);
  call(playerOf(0, 2, 1), 'account:1');
  expect(told()).toMatchObject({ mailbox_messages: 4, mailbox_longest: 3 });
});

test('messages of the inbox, their bytes, and how long the oldest has waited', () => {
  for (const wait of [3_000, 1_000]) {
    rig.call(act(alice, 'tell myself', 'blind'));
    rig.settle();
    rig.elapse(wait);
  }
  const { inbox_bytes: bytes, ...others } = told();
  const mailboxes = { mailbox_messages: 2, mailbox_longest: 2 };
  expect(others).toEqual({ inbox_messages: 2, inbox_oldest_message_seconds: 4, ...mailboxes });
  expect(bytes).toBeGreaterThan(2 * 'blind'.length);
});

test('frames that another partition has not acknowledged, and their bytes', () => {
  for (const text of ['one', 'two']) {
    rig.call(act(alice, 'tell', text));
    seat.settle();
  }
  const bytes = seat.frames.reduce((sum, frame) => sum + frame.bytes.byteLength, 0);
  expect(told()).toEqual({ channel_unacknowledged_frames: 2, channel_unacknowledged_bytes: bytes });
  rig.settle();
  expect(told()).toEqual({});
});

test('effects that are not settled, and how many ran again', () => {
  for (let count = 0; count < 2; count += 1) rig.call(act(alice, 'fetch'));
  rig.settle();
  expect(told()).toMatchObject({ effects_pending: 2, effects_pending_bytes: expect.any(Number) });
  seat.partition.repeatEffects(() => true);
  rig.settle();
  expect(told()).toMatchObject({ effects_repeated_total: 2 });
  expect(told()).toMatchObject({ effects_repeated_total: 2 });
});

test('dead letters', () => {
  for (let count = 0; count < 3; count += 1) rig.call(act(alice, 'tell myself', 'fail'));
  rig.settle();
  rig.orderLetters(0, { what: 'drop', sequences: [1] });
  rig.settle();
  expect(told()).toEqual({ dead_letters: 2, dead_letters_bytes: expect.any(Number), dead_letters_written: 3 });
});

test('remembered values, and the bytes they were decoded from', () => {
  rig.call(act(alice, 'write'));
  rig.settle();
  rig.call(act(alice, 'look'));
  rig.settle();
  expect(told()).toEqual({ remembered_values: 1, remembered_values_bytes: expect.any(Number) });
});
