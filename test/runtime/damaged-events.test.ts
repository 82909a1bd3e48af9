/**
 * A damaged record of the event log: streams that resume before it get a gap, and the operator hears of it once, with a
 * letter that holds its bytes and place, whoever meets it.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { pack } from '../../src/runtime/codec.ts';
import { eventsFrom, reachesBack } from '../../src/runtime/events/event-log.ts';
import { isOfEventLog, lettersOf } from '../../src/runtime/letters.ts';
import { partitionLimits } from '../../src/runtime/limits.ts';
import { checkServer } from '../../src/runtime/storage/check-server.ts';
import { eventRecords } from '../../src/runtime/storage/machine.ts';
import { alice, listenersRig } from './support/listeners.ts';
import { act, playerKeyspaces, Said } from './support/players.ts';
import type { Rig, Seat } from './support/rig.ts';

const place = 'the entry 2 of events';
const hour = 60 * 60 * 1_000;

let rig: Rig;
let seat: Seat;
/** Of the length that was counted. */
let damaged: Uint8Array;

beforeEach(() => {
  ({ rig } = listenersRig());
  seat = rig.seats[1]!;
  rig.scripts.define('say', (turn, text) => turn.emit(Said, { what: text as string }));
  for (const text of ['one', 'two', 'six']) say(text);
  damaged = new Uint8Array(seat.disk.get(eventRecords, [2])!.length).fill(0xc1);
});

function say(text = 'more'): void {
  rig.call(act(alice, 'say', text));
  rig.settle();
}

function damage(commit: number, bytes = damaged): void {
  seat.store.apply({ keys: [eventRecords.encode([commit])], values: [bytes] });
}

function restart(): void {
  seat.restart();
  rig.settle();
}

/** As a stream resumes: its thread tells the owner of what it cannot decode. */
function resume(from = 0): number[][] {
  const batches = [...eventsFrom(seat.disk, 1, from, (key) => seat.partition.damageMet(key))];
  rig.settle();
  return batches.map(({ events }) => events.map(({ event }) => event));
}

const letters = () =>
  [...lettersOf(seat.disk)].map(({ message }) => [message[1], Uint8Array.from(message[3] as Uint8Array)]);
const logged = () => [...seat.disk.range(eventRecords, [])].map(({ key }) => key[0]);
const complaints = () =>
  checkServer({
    placement: rig.host.placement,
    readers: rig.seats.map(({ store }) => store),
    keyspaces: playerKeyspaces,
    rules: [],
  }).partitions[1]!.problems;

test('is a letter with bytes and place, and a report', () => {
  damage(2);
  restart();
  expect(letters()).toEqual([]);
  expect(resume()).toEqual([[Said.number], [0], [Said.number]]);
  expect(letters()).toEqual([[place, damaged]]);
  expect(seat.problems.map(({ level, message }) => [level, message])).toEqual([
    [
      'error',
      `${place} cannot be decoded: partition 1 sets its bytes aside as a dead letter, and streams that resume before it get a gap`,
    ],
  ]);
  const { damagedRecords, lettersKept } = seat.partition.load;
  expect([damagedRecords, lettersKept, logged()]).toEqual([1, 1, [1, 2, 3]]);
});

test.each<[string, unknown, number[]]>([
  ['its time', { at: 'odd', events: [{ event: Said.number, body: {} }] }, [Said.number]],
  ['its events', { at: 5, events: 'odd' }, [0]],
  ['one event', { at: 5, events: [{ event: Said.number, body: {} }, 'odd'] }, [Said.number, 0]],
  ['the number of an event', { at: 5, events: [{ event: Number.NaN, body: {} }] }, [0]],
])('of which only %s is damaged, too', (_what, record, events) => {
  const bytes = Uint8Array.from(pack(record));
  damage(2, bytes);
  restart();
  expect(resume(2)[0]).toEqual(events);
  expect(letters()).toEqual([[place, bytes]]);
});

test('is told once, however many streams meet it, and across restarts', () => {
  damage(2);
  restart();
  for (let starts = 0; starts < 3; starts += 1) {
    for (let streams = 0; streams < 3; streams += 1) resume();
    restart();
  }
  expect([letters(), seat.problems.length]).toEqual([[[place, damaged]], 1]);
});

test('that nobody has met is told of when it leaves the log, in the same commit', () => {
  damage(2);
  restart();
  rig.pass(2 * hour);
  for (const [applied, outcome] of [
    [0, [[], [1, 2, 3]]],
    [1, [[[place, damaged]], [4]]],
  ] as const) {
    rig.call(act(alice, 'say', 'late'));
    seat.run();
    seat.restart(applied);
    rig.settle();
    expect([letters(), logged()]).toEqual(outcome);
  }
  say('later');
  expect([letters(), complaints()]).toEqual([[[place, damaged]], []]);
});

test('leaves the log without another letter where it has one', () => {
  damage(2);
  restart();
  resume();
  rig.pass(2 * hour);
  say('late');
  expect([letters(), logged().includes(2), complaints()]).toEqual([[[place, damaged]], false, []]);
  expect(seat.problems).toHaveLength(1);
});

test('that left brings a gap to whoever has not passed it', () => {
  damage(2);
  restart();
  rig.pass(2 * hour);
  say('late');
  const reaches = [1, 2, 3].map((commit) => reachesBack(seat.disk, commit, 0));
  expect(reaches).toEqual([false, false, true]);
});

test('is counted where as many letters were written as may be, and leaves the log all the same', () => {
  const count = partitionLimits.recordLettersMax + 2;
  for (let index = 3; index < count; index += 1) say();
  for (let commit = 1; commit <= count; commit += 1) damage(commit);
  restart();
  resume();
  expect([letters().length, seat.partition.load.damagedRecords]).toEqual([partitionLimits.recordLettersMax, count]);
  rig.pass(2 * hour);
  for (let index = 0; index < count; index += 1) say();
  expect([logged().filter((commit) => commit <= count), letters().length]).toEqual([
    [],
    partitionLimits.recordLettersMax,
  ]);
});

describe('its letter', () => {
  beforeEach(() => {
    damage(2);
    restart();
    resume();
  });

  test('deletes nothing, because streams would miss its events without a word', () => {
    const [letter] = [...lettersOf(seat.disk)];
    expect(isOfEventLog(letter!)).toBe(true);
    const order = rig.orderLetters(1, { what: 'deleteRecord', sequences: [letter!.sequence] });
    rig.settle();
    expect([rig.valueOf(order), letters().length, logged()]).toEqual([
      { handled: 1, taken: 0, failed: 0, records: 0 },
      1,
      [1, 2, 3],
    ]);
  });

  test('is dropped by command, and comes again only after a start', () => {
    rig.orderLetters(1, { what: 'drop', sequences: [1] });
    rig.settle();
    resume();
    expect(letters()).toEqual([]);
    restart();
    resume();
    expect(letters()).toEqual([[place, damaged]]);
  });
});
