/**
 * A damaged record that is deleted by command, of which no event tells: once the deletion is on disk, and not before,
 * listeners get a gap and the views of the partition begin anew.
 */
import { beforeEach, expect, test } from 'vitest';
import { lettersOf } from '../../src/runtime/letters.ts';
import type { Reader } from '../../src/runtime/storage/reader.ts';
import { act, notes, playerOf } from './support/players.ts';
import { Rig, type Seat } from './support/rig.ts';

const alice = playerOf(0, 1);
const shownNotes = { ...notes, absentIfDamaged: true };

let rig: Rig;
let seat: Seat;
/** What the view has read each time it was opened. */
let opened: string[][];

beforeEach(() => {
  const view = {
    name: 'notes',
    opened: (reader: Reader) => void opened.push(Array.from(reader.range(shownNotes, [alice]), ({ value }) => value)),
    committed: () => [],
    control: () => undefined,
  };
  opened = [];
  rig = new Rig(1, [view]);
  seat = rig.seat;
  rig.scripts.define('read', (turn, position) => turn.get(notes, [alice, position as number]));
  const bytes = [notes.value.encode('sound'), Uint8Array.of(0xdf, 0xff, 0xff)];
  seat.store.apply({ keys: [notes.encode([alice, 1]), notes.encode([alice, 2])], values: bytes });
  seat.restart();
  rig.call(act(alice, 'read', 2));
  rig.settle();
  opened = [];
});

const deleteRecord = (sequence = 1) => rig.orderLetters(0, { what: 'deleteRecord', sequences: [sequence] });

test('is told once, behind its commit', () => {
  const order = deleteRecord();
  seat.run();
  expect([rig.repliesTo(order), seat.gaps, opened]).toEqual([[], 0, []]);
  seat.log.complete();
  expect([rig.valueOf(order), seat.gaps, opened]).toEqual([
    { handled: 1, taken: 1, failed: 0, records: 0 },
    1,
    [['sound']],
  ]);
  rig.call(act(alice, 'read', 2));
  rig.settle();
  expect([seat.gaps, opened.length]).toEqual([1, 1]);
});

test('is not told where its commit was lost', () => {
  deleteRecord();
  seat.run();
  seat.lose(0);
  rig.pass(1_000);
  rig.settle();
  expect([seat.gaps, [...lettersOf(seat.disk)].length]).toEqual([0, 1]);
  rig.call(act(alice, 'read', 1));
  rig.settle();
  expect(seat.gaps).toBe(0);
});

test('is not told where there is nothing to delete', () => {
  deleteRecord(7);
  rig.settle();
  seat.store.apply({ keys: [notes.encode([alice, 2])], values: [notes.value.encode('repaired')] });
  seat.restart();
  opened = [];
  deleteRecord();
  rig.settle();
  expect([seat.gaps, opened]).toEqual([0, []]);
});

test('is told, and the view is opened later, where the storage cannot be read for a moment', () => {
  const order = deleteRecord();
  seat.run();
  let reads = 0;
  // What lands is read again; the view is what fails.
  seat.log.failReads(() => {
    reads += 1;
    return reads === 2;
  });
  seat.log.complete();
  seat.log.failReads(undefined);
  expect([rig.valueOf(order), seat.gaps, opened]).toEqual([{ handled: 1, taken: 1, failed: 0, records: 0 }, 1, []]);
  expect(seat.problems.at(-1)!.message).toBe('partition 0 could not read its storage');
  rig.pass(1_000);
  rig.settle();
  expect(opened.at(-1)).toEqual(['sound']);
});
