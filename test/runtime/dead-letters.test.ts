/** Dead letters that the operator sends again or drops: each once, in one commit, whatever fails in between. */
import { beforeEach, describe, expect, test } from 'vitest';
import { lettersOf } from '../../src/runtime/letters.ts';
import { inbox } from '../../src/runtime/storage/machine.ts';
import { act, hear, notes, playerOf } from './support/players.ts';
import { Rig, type Seat } from './support/rig.ts';

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);

let rig: Rig;
let seat: Seat;
let isMended: boolean;

/** Bob falls over three messages of alice, numbered 1 to 3. */
beforeEach(() => {
  rig = new Rig(2);
  seat = rig.seats[1]!;
  isMended = false;
  rig.scripts.define('send', (turn, text) => turn.tell(hear(bob, 'note', text)));
  rig.scripts.define('note', (turn, text) => {
    if (!isMended) throw new Error(`over ${text}`);
    turn.put(notes, [bob, 0], `${turn.get(notes, [bob, 0]) ?? ''}${text} of ${turn.flow}; `);
  });
  for (const text of ['a', 'b', 'c']) rig.call(act(alice, 'send', text));
  rig.settle();
});

const kept = () => [...lettersOf(seat.disk)].map(({ sequence, error }) => [sequence, error]);
const noted = () => seat.disk.get(notes, [bob, 0]);

describe('a letter', () => {
  test('stands with what it was, the newest first', () => {
    expect(kept()).toEqual([
      [3, 'player.hear: over c'],
      [2, 'player.hear: over b'],
      [1, 'player.hear: over a'],
    ]);
    expect([...lettersOf(seat.disk, 1)].map(({ sequence }) => sequence)).toEqual([3]);
  });

  test('that is sent again runs as it stood, and goes in the commit of its turn', () => {
    isMended = true;
    const order = rig.orderLetters(1, { what: 'retry', sequences: [2] });
    seat.run();
    expect([rig.repliesTo(order), kept().length, noted()]).toEqual([[], 3, undefined]);
    seat.log.complete();
    expect(rig.valueOf(order)).toEqual({ taken: 1, failed: 0 });
    expect([kept().map(([sequence]) => sequence), noted()]).toEqual([[3, 1], 'b of account:1; ']);
  });

  test('that falls again is a new letter', () => {
    const order = rig.orderLetters(1, { what: 'retry', sequences: [1, 2] });
    seat.settle();
    expect(rig.valueOf(order)).toEqual({ taken: 2, failed: 2 });
    expect(kept().map(([sequence]) => sequence)).toEqual([5, 4, 3]);
  });

  test('that is dropped is gone, and does not run', () => {
    isMended = true;
    const order = rig.orderLetters(1, { what: 'drop', sequences: [1, 3] });
    seat.settle();
    expect(rig.valueOf(order)).toEqual({ taken: 2, failed: 0 });
    seat.restart();
    seat.settle();
    expect([kept().map(([sequence]) => sequence), noted()]).toEqual([[2], undefined]);
  });

  test('that is not there is passed over, also when it was named twice', () => {
    isMended = true;
    const order = rig.orderLetters(1, { what: 'retry', sequences: [7, 1, 1] });
    const nothing = rig.orderLetters(1, { what: 'drop', sequences: [1, 9] });
    seat.settle();
    expect([rig.valueOf(order), rig.valueOf(nothing)]).toEqual([
      { taken: 1, failed: 0 },
      { taken: 0, failed: 0 },
    ]);
    expect(noted()).toBe('a of account:1; ');
  });
});

test('letters run in the order in which they are named, behind what waits for their actor', () => {
  isMended = true;
  rig.scripts.define('send many', (turn) => {
    for (let number = 0; number < 1_030; number += 1) turn.tell(hear(bob, 'note', number));
  });
  const neighbour = playerOf(1, 2, 1);
  rig.call(act(neighbour, 'send many'));
  seat.run();
  // The first slice has filled the inbox; the order comes before it is empty.
  seat.log.complete();
  seat.restart();
  expect([...seat.disk.range(inbox, [])].length).toBeGreaterThan(0);
  rig.orderLetters(1, { what: 'retry', sequences: [3, 1] });
  seat.settle();
  expect(noted()).toMatch(/1029 of account:1; c of account:1; a of account:1; $/);
});

test.each([
  [false, 3, undefined],
  [true, 2, 'b of account:1; '],
])('an append that fails (applied: %s) loses no letter and runs none twice', (applied, left, text) => {
  isMended = true;
  const order = rig.orderLetters(1, { what: 'retry', sequences: [2] });
  seat.run();
  seat.fail(applied);
  seat.settle();
  expect([rig.refusalOf(order), kept().length, noted()]).toEqual(['outcomeUnknown', left, text]);
});

test('a body that no version would send any more stays a dead letter', () => {
  rig.scripts.define('send nonsense', (turn) => turn.tell({ ...hear(bob, 'note'), body: { nonsense: true } }));
  rig.call(act(alice, 'send nonsense'));
  rig.settle();
  isMended = true;
  const order = rig.orderLetters(1, { what: 'retry', sequences: [4] });
  seat.settle();
  expect(rig.valueOf(order)).toEqual({ taken: 1, failed: 1 });
});

test('a partition that closes takes no order', () => {
  void seat.partition.close();
  expect(rig.refusalOf(rig.orderLetters(1, { what: 'drop', sequences: [1] }))).toBe('overloaded');
});
