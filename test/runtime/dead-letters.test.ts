/** Retrying and dropping dead letters: each once, in one commit, whatever fails in between. */
import { beforeEach, describe, expect, test } from 'vitest';
import { pack } from '../../src/runtime/codec.ts';
import { letterCounts, lettersOf, type StoredLetter } from '../../src/runtime/letters.ts';
import { partitionLimits } from '../../src/runtime/limits.ts';
import { deadLetters, inbox, meta } from '../../src/runtime/storage/machine.ts';
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
    expect(rig.valueOf(order)).toMatchObject({ taken: 1, failed: 0 });
    expect([kept().map(([sequence]) => sequence), noted()]).toEqual([[3, 1], 'b of account:1; ']);
  });

  test('that falls again is a new letter', () => {
    const order = rig.orderLetters(1, { what: 'retry', sequences: [1, 2] });
    seat.settle();
    expect(rig.valueOf(order)).toMatchObject({ taken: 2, failed: 2 });
    expect(kept().map(([sequence]) => sequence)).toEqual([5, 4, 3]);
  });

  test('whose time is beyond all dates is shown as one that cannot be decoded', () => {
    const letter = [...lettersOf(seat.disk)].at(-1)!;
    const bytes = deadLetters.value.encode({ at: 1e300, message: letter.message, error: letter.error });
    seat.store.apply({ keys: [deadLetters.encode([1])], values: [bytes] });
    seat.restart();
    rig.settle();
    const shown = [...lettersOf(seat.disk)].at(-1)!;
    expect([shown.at, shown.error]).toEqual([0, 'it cannot be decoded: its time is beyond all dates']);
  });

  test('that is dropped is gone, and does not run', () => {
    isMended = true;
    const order = rig.orderLetters(1, { what: 'drop', sequences: [1, 3] });
    seat.settle();
    expect(rig.valueOf(order)).toMatchObject({ taken: 2, failed: 0 });
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
      { handled: 3, taken: 1, failed: 0, records: 0 },
      { handled: 2, taken: 0, failed: 0, records: 0 },
    ]);
    expect(noted()).toBe('a of account:1; ');
  });
});

describe('letters above their bound', () => {
  const { deadLettersMax, archivePauseMilliseconds } = partitionLimits;
  const excess = 1_500;
  const counts = () => letterCounts([seat.disk]);

  /** Bob falls over so many more messages. */
  function fall(count: number): void {
    rig.scripts.define('send many', (turn) => {
      for (let number = 0; number < 1_000; number += 1) turn.tell(hear(bob, 'note', number));
    });
    for (let sent = 0; sent < count; sent += 1_000) rig.call(act(alice, 'send many'));
    rig.settle();
  }

  test('go to the file, the oldest first, and are counted', () => {
    fall(deadLettersMax + 1_000);
    expect(kept()).toHaveLength(deadLettersMax);
    expect(seat.archived.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 1_003 }, (_, index) => index + 1),
    );
    expect(seat.archived[0]).toMatchObject({
      error: 'player.hear: over a',
      message: [200, bob, 2, { argument: 'a' }, 'account:1'],
    });
    expect(counts()).toEqual({ kept: deadLettersMax, archived: 1_003 });
    expect(seat.partition.load).toMatchObject({ lettersWritten: deadLettersMax + 1_003, lettersKept: deadLettersMax });
  });

  test('go there in writes of so many bytes, or one by one where they are larger', () => {
    const { lettersPerArchiveBytesMax } = partitionLimits;
    const large = [...new Array<number>(9).fill(1_000_000), lettersPerArchiveBytesMax + 2_000, 1_000_000];
    for (const length of large) rig.call(act(alice, 'send', 'x'.repeat(length)));
    rig.settle();
    const { archive } = seat;
    const writes: (readonly StoredLetter[])[] = [];
    seat.archive = (letters, done) => {
      writes.push(letters);
      archive(letters, done);
    };
    fall(deadLettersMax);
    const bytesOf = (letters: readonly StoredLetter[]) => letters.reduce((sum, letter) => sum + pack(letter).length, 0);
    const tooLarge = writes.filter((letters) => bytesOf(letters) > lettersPerArchiveBytesMax + 1_000);
    expect(tooLarge.map((letters) => letters.map(({ sequence }) => sequence))).toEqual([[3 + large.length - 1]]);
    expect(kept()).toHaveLength(deadLettersMax);
    expect(seat.archived).toHaveLength(3 + large.length);
  });

  test('stay where they are while the file cannot be written, and none is lost', () => {
    const { archive } = seat;
    seat.archive = (_letters, done) => done(new Error('the disk is full'));
    fall(deadLettersMax + excess);
    expect(kept().length).toBeGreaterThan(deadLettersMax + excess);
    expect(seat.problems.at(-1)?.message).toBe('excess dead letters could not be written to their archive file');
    seat.archive = archive;
    rig.elapse(archivePauseMilliseconds);
    rig.call(act(alice, 'send', 'd'));
    rig.settle();
    expect(kept()).toHaveLength(deadLettersMax);
    expect(counts().kept + counts().archived).toBe(deadLettersMax + 2_000 + 4);
    expect(new Set(seat.archived.map(({ sequence }) => sequence)).size).toBe(2_004);
  });

  test('stay in the database where the partition closes before their file is written', async () => {
    const { archive } = seat;
    let finish: () => void = () => undefined;
    seat.archive = (...asked) => {
      finish = () => archive(...asked);
    };
    fall(deadLettersMax + 1_000);
    const closed = seat.partition.close();
    seat.settle();
    await closed;
    finish();
    seat.settle();
    expect([kept().length, seat.problems.filter(({ message }) => message.includes('letters'))]).toEqual([
      deadLettersMax + 1_003,
      [],
    ]);
  });

  test('are counted after a restart, also where an earlier version wrote last', () => {
    rig.orderLetters(1, { what: 'drop', sequences: [1] });
    rig.settle();
    expect(counts()).toEqual({ kept: 2, archived: 0 });
    const { deadLettersKept: _, deadLettersArchived: __, ...earlier } = seat.disk.get(meta, [0])!;
    seat.store.apply({ keys: [meta.encode([0])], values: [meta.value.encode(earlier as never)] });
    seat.restart();
    rig.call(act(alice, 'send', 'd'));
    rig.settle();
    expect(counts()).toEqual({ kept: 3, archived: 0 });
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
  [false, 3, undefined, 'storageUnavailable'],
  [true, 2, 'b of account:1; ', undefined],
])('an append that fails (applied: %s) loses no letter and runs none twice', (applied, left, text, refusal) => {
  isMended = true;
  const order = rig.orderLetters(1, { what: 'retry', sequences: [2] });
  seat.run();
  seat.lose(applied ? 1 : 0);
  seat.settle();
  expect([rig.refusalOf(order), kept().length, noted()]).toEqual([refusal, left, text]);
});

test('a body that no version would send any more stays a dead letter', () => {
  rig.scripts.define('send nonsense', (turn) => turn.tell({ ...hear(bob, 'note'), body: { nonsense: true } }));
  rig.call(act(alice, 'send nonsense'));
  rig.settle();
  isMended = true;
  const order = rig.orderLetters(1, { what: 'retry', sequences: [4] });
  seat.settle();
  expect(rig.valueOf(order)).toMatchObject({ taken: 1, failed: 1 });
});

test('a partition that closes takes no order', () => {
  void seat.partition.close();
  expect(rig.refusalOf(rig.orderLetters(1, { what: 'drop', sequences: [1] }))).toBe('overloaded');
});
