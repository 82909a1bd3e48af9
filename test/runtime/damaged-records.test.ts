/**
 * Records of state that cannot be decoded: each is set aside once as a dead letter with its bytes and place, stays
 * where it is, and is not half used.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { lettersOf } from '../../src/runtime/letters.ts';
import { partitionLimits } from '../../src/runtime/limits.ts';
import { checkServer } from '../../src/runtime/storage/check-server.ts';
import type { Keyspace } from '../../src/runtime/storage/keyspace.ts';
import { cursorRecords } from '../../src/runtime/storage/machine.ts';
import type { Reader } from '../../src/runtime/storage/reader.ts';
import { act, board, hear, notes, playerKeyspaces, playerOf, tally } from './support/players.ts';
import { Rig, type Seat } from './support/rig.ts';

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);
const damaged = Uint8Array.of(0xdf, 0xff, 0xff);

let rig: Rig;
let seat: Seat;

beforeEach(() => begin(new Rig(2)));

function begin(newRig: Rig): void {
  rig = newRig;
  seat = rig.seats[1]!;
  rig.scripts.define('read', (turn, position) => {
    turn.put(notes, [turn.self.key, 0], 'half done');
    return turn.get(notes, [turn.self.key, position as number]);
  });
  rig.scripts.define('read all', (turn) => [...turn.range(notes, [turn.self.key])].length);
  rig.scripts.define('send', (turn, position) => turn.tell(hear(bob, 'read', position)));
}

/** What the disk holds from now on. A partition notices it with its next commit, or when it starts. */
function store<Key extends readonly unknown[]>(space: Keyspace<Key, unknown>, key: Key, bytes: Uint8Array): void {
  seat.store.apply({ keys: [space.encode(key)], values: [bytes] });
}

function damage(...positions: number[]): void {
  for (const position of positions) store(notes, [bob, position], damaged);
  seat.restart();
  rig.settle();
}

const place = (position: number) => `the entry ${bob}, ${position} of notes`;

/** Their places and bytes, the oldest first. */
function setAside(): [unknown, Uint8Array][] {
  return [...lettersOf(seat.disk, undefined, false)].flatMap(({ message, recordKey }) =>
    recordKey === undefined ? [] : [[message[1], Uint8Array.from(message[3] as Uint8Array)] as [unknown, Uint8Array]],
  );
}

const stored = (position: number) => {
  const bytes = seat.store.get(notes.encode([bob, position]));
  return bytes === undefined ? undefined : Uint8Array.from(bytes);
};
/** Of an order about one letter. */
const outcome = (more = {}) => ({ handled: 1, taken: 0, failed: 0, records: 0, ...more });
const messages = () => [...lettersOf(seat.disk, undefined, false)].filter(({ recordKey }) => recordKey === undefined);
const reported = (word: string) => seat.problems.filter(({ message }) => message.includes(word));

function read(script = 'read', argument: unknown = 2): string | undefined {
  const call = rig.call(act(bob, script, argument));
  rig.settle();
  return rig.refusalOf(call);
}

describe('a turn that needs a damaged record', () => {
  test.each([
    ['a lookup', 'read'],
    ['a range', 'read all'],
  ])('in %s fails as a whole, and the record is set aside before its caller knows', (_what, script) => {
    damage(2);
    const call = rig.call(act(bob, script, 2));
    seat.run();
    expect([rig.repliesTo(call), setAside()]).toEqual([[], []]);
    seat.log.complete();
    expect([rig.refusalOf(call), setAside()]).toEqual(['internal', [[place(2), damaged]]]);
    expect([stored(0), stored(2)]).toEqual([undefined, damaged]);
    expect(reported('aside as a dead letter').map(({ message }) => message)).toEqual([
      `${place(2)} cannot be decoded: partition 1 sets its bytes aside as a dead letter, and leaves it where it is`,
    ]);
  });

  test('is one letter, whoever meets it and however often', () => {
    damage(2);
    for (let count = 0; count < 5; count += 1) expect(read(count % 2 === 0 ? 'read' : 'read all')).toBe('internal');
    expect(setAside()).toHaveLength(1);
    expect(reported('aside as a dead letter')).toHaveLength(1);
  });

  test('and was sent by another actor waits as a letter, and can be sent again once the record is repaired', () => {
    damage(2);
    rig.call(act(alice, 'send', 2));
    rig.settle();
    expect([setAside().length, messages().map(({ error }) => error)]).toEqual([
      1,
      [expect.stringContaining(`player.hear: ${place(2)} cannot be decoded`)],
    ]);
    store(notes, [bob, 2], notes.value.encode('repaired'));
    seat.restart();
    const retry = rig.orderLetters(1, { what: 'retry', sequences: messages().map(({ sequence }) => sequence) });
    rig.settle();
    expect([rig.valueOf(retry), messages(), seat.disk.get(notes, [bob, 0])]).toEqual([
      outcome({ taken: 1 }),
      [],
      'half done',
    ]);
  });

  test('leaves those alone that do not need it', () => {
    damage(2);
    expect([read('read', 3), read('read', 2), read('read', 3)]).toEqual([undefined, 'internal', undefined]);
  });
});

describe('the letter', () => {
  test('is not doubled by a restart, nor by a crash before or after its commit', () => {
    damage(2);
    for (const applied of [0, 1, 0]) {
      rig.call(act(bob, 'read', 2));
      seat.run();
      seat.restart(seat.log.waiting > 0 ? applied : 0);
      rig.settle();
    }
    expect(read()).toBe('internal');
    expect(setAside()).toEqual([[place(2), damaged]]);
  });

  test('is written again where its commit was lost', () => {
    damage(2);
    rig.call(act(bob, 'read', 2));
    seat.run();
    seat.lose(0);
    rig.settle();
    expect(setAside()).toEqual([]);
    rig.pass(1_000);
    rig.settle();
    expect([read(), setAside().length]).toEqual(['internal', 1]);
  });

  test('is written however many commits of letters were lost before', () => {
    damage(2);
    for (let count = 0; count <= partitionLimits.recordLettersMax; count += 1) {
      rig.call(act(bob, 'read', 2));
      seat.run();
      seat.lose(0);
      rig.settle();
      rig.pass(partitionLimits.failurePauseMillisecondsMax);
      rig.settle();
    }
    expect(setAside()).toEqual([]);
    expect([read(), setAside()]).toEqual(['internal', [[place(2), damaged]]]);
    expect(reported('no more letters')).toEqual([]);
  });

  test('is another one where other bytes are damaged in the same place', () => {
    damage(2);
    read();
    const other = Uint8Array.of(0xdf, 0xff, 0xfe);
    store(notes, [bob, 2], other);
    seat.restart();
    read();
    expect(setAside().map(([, bytes]) => bytes)).toEqual([damaged, other]);
  });

  test('deletes its record by command, with what a restart would remember of it', () => {
    damage(2);
    read();
    const order = rig.orderLetters(1, { what: 'deleteRecord', sequences: [1] });
    rig.settle();
    expect([rig.valueOf(order), setAside(), stored(2)]).toEqual([outcome({ taken: 1 }), [], undefined]);
    expect([seat.partition.load.damagedRecords, seat.partition.load.lettersKept]).toEqual([0, 0]);
    expect([read(), stored(0)]).toEqual([undefined, Uint8Array.from(notes.value.encode('half done'))]);
  });

  test('is written anew where a deleted record is damaged in the same way again', () => {
    damage(2);
    read();
    seat.restart();
    read();
    rig.orderLetters(1, { what: 'deleteRecord', sequences: [1] });
    rig.settle();
    store(notes, [bob, 2], damaged);
    read('read', 3);
    expect([setAside(), read(), setAside()]).toEqual([[], 'internal', [[place(2), damaged]]]);
  });

  test.each<[string, Uint8Array]>([
    ['was repaired', Uint8Array.from(notes.value.encode('repaired'))],
    ['is damaged in another way', Uint8Array.of(0xdf, 0xff, 0xfe)],
  ])('deletes nothing where the record %s since', (_how, now) => {
    damage(2);
    read();
    store(notes, [bob, 2], now);
    seat.restart();
    const order = rig.orderLetters(1, { what: 'deleteRecord', sequences: [1] });
    rig.settle();
    expect([rig.valueOf(order), setAside().length, stored(2)]).toEqual([outcome(), 1, now]);
  });

  test('of a message deletes nothing', () => {
    damage(2);
    rig.call(act(alice, 'send', 2));
    rig.settle();
    const sequences = messages().map(({ sequence }) => sequence);
    const order = rig.orderLetters(1, { what: 'deleteRecord', sequences });
    rig.settle();
    expect([rig.valueOf(order), messages().length, stored(2)]).toEqual([outcome(), 1, damaged]);
  });

  test('cannot be sent again, and may be dropped', () => {
    damage(2);
    read();
    const retry = rig.orderLetters(1, { what: 'retry', sequences: [1] });
    rig.settle();
    expect([rig.valueOf(retry), setAside().length]).toEqual([outcome({ records: 1 }), 1]);
    const drop = rig.orderLetters(1, { what: 'drop', sequences: [1] });
    rig.settle();
    expect([rig.valueOf(drop), setAside(), seat.partition.load.lettersKept]).toEqual([outcome({ taken: 1 }), [], 0]);
    // It was seen: not again in this run.
    read();
    expect(setAside()).toEqual([]);
  });
});

describe('statistics that are damaged', () => {
  const countOf = (day: number) => seat.disk.get(tally, [day]);
  const places = [1, 2].map((day) => [`the entry ${day} of tally`, damaged]);

  beforeEach(() => {
    rig.scripts.define('count', (turn, day) =>
      turn.put(tally, [day as number], (turn.get(tally, [day as number]) ?? 0) + 1),
    );
    rig.scripts.define('count all', (turn) => {
      const days = [...turn.range(tally, [])].map(({ key, value }) => `${key[0]}: ${value}`);
      if (turn.get(tally, [1]) !== undefined) days.push('once more');
      return days.join();
    });
    rig.scripts.define('count and fail', (turn) => {
      turn.get(tally, [1]);
      throw new Error('it failed');
    });
    for (const day of [1, 2]) store(tally, [day], damaged);
    store(tally, [3], tally.value.encode(3));
    seat.restart();
    rig.settle();
  });

  test('begin anew in the turn that meets them, in one commit with the letter', () => {
    const call = rig.call(act(bob, 'count', 1));
    seat.run();
    seat.restart(0);
    rig.settle();
    expect([setAside(), rig.repliesTo(call)]).toEqual([[], []]);
    expect(read('count', 1)).toBeUndefined();
    expect([countOf(1), setAside()]).toEqual([1, [places[0]]]);
    expect(read('count', 1)).toBeUndefined();
    expect([countOf(1), setAside()]).toEqual([2, [places[0]]]);
  });

  test('are deleted by a turn that reads them all, and the others are counted', () => {
    const call = rig.call(act(bob, 'count all'));
    rig.settle();
    expect(rig.valueOf(call)).toBe('3: 3');
    const left = [1, 2, 3].map((day) => seat.store.get(tally.encode([day])) !== undefined);
    expect([setAside(), left]).toEqual([places, [false, false, true]]);
    expect(reported('begin anew')).toHaveLength(2);
  });

  test('have their letter however many others were written: it is all that is left of them', () => {
    const count = partitionLimits.recordLettersMax + 1;
    damage(...Array.from({ length: count }, (_, index) => index + 1));
    for (let position = 1; position <= count; position += 1) read('read', position);
    expect([read('count', 1), countOf(1), setAside().at(-1)]).toEqual([undefined, 1, places[0]]);
  });

  test('stay where the turn fails for another reason, and have their letter', () => {
    expect(read('count and fail')).toBe('internal');
    expect([setAside(), seat.store.get(tally.encode([1])) !== undefined]).toEqual([[places[0]], true]);
  });
});

test('"murmuration check" names the same place, and takes the letter for no message', () => {
  damage(2);
  read();
  const { messagesUnderWay, partitions } = checkServer({
    placement: rig.host.placement,
    readers: rig.seats.map(({ store }) => store),
    keyspaces: playerKeyspaces,
    rules: [],
  });
  const [[named]] = setAside() as [[string, Uint8Array]];
  expect(partitions[1]!.problems).toEqual([
    expect.stringContaining(`${named.replace('the', 'The')} cannot be decoded`),
  ]);
  expect(messagesUnderWay).toBe(0);
});

test('a partition writes so many such letters in one run, and counts the rest', () => {
  const count = partitionLimits.recordLettersMax + 5;
  damage(...Array.from({ length: count }, (_, index) => index + 1));
  for (let position = 1; position <= count; position += 1) expect(read('read', position)).toBe('internal');
  expect([setAside().length, seat.partition.load.damagedRecords]).toEqual([partitionLimits.recordLettersMax, count]);
  expect(reported('no more letters')).toHaveLength(1);
});

describe('what another thread tells of', () => {
  const tell = (key: Uint8Array) => {
    seat.partition.damageMet(key);
    rig.settle();
  };

  test('is set aside once the partition has seen the same', () => {
    damage(2);
    for (let count = 0; count < 3; count += 1) tell(notes.encode([bob, 2]));
    expect(setAside()).toEqual([[place(2), damaged]]);
  });

  test.each<[string, () => Uint8Array]>([
    ['a record that is sound', () => notes.encode([bob, 1])],
    ['a record that is not there', () => notes.encode([bob, 7])],
    ['a key of no keyspace', () => Uint8Array.of(0, 0, 254, 1)],
    ['a record of the machine, which has reports of its own', () => cursorRecords.encode([0])],
  ])('%s is not', (_what, key) => {
    store(notes, [bob, 1], notes.value.encode('sound'));
    store(cursorRecords, [0], damaged);
    seat.restart();
    tell(key());
    expect([setAside(), seat.partition.load.damagedRecords]).toEqual([[], 0]);
  });

  test('and that a turn is replacing is not', () => {
    damage(2);
    rig.scripts.define('replace', (turn) => turn.put(notes, [bob, 2], 'new'));
    rig.call(act(bob, 'replace'));
    seat.run();
    tell(notes.encode([bob, 2]));
    expect([setAside(), seat.disk.get(notes, [bob, 2])]).toEqual([[], 'new']);
  });

  test('while the partition cannot be read is set aside when it can be again', () => {
    damage(2);
    seat.log.failReads(() => true);
    seat.partition.damageMet(notes.encode([bob, 2]));
    seat.run();
    seat.log.failReads(undefined);
    for (let count = 0; count < 20; count += 1) {
      rig.pass(1_000);
      rig.settle();
    }
    expect(setAside()).toHaveLength(1);
  });
});

describe('a view that meets one', () => {
  const shown = { ...board, absentIfDamaged: true };
  const texts: string[] = [];
  const reading = (reader: Reader, space: typeof board) => {
    texts.length = 0;
    for (const { value } of reader.range(space, [1])) texts.push(value);
  };

  function withView(space: typeof board): void {
    begin(
      new Rig(2, [
        {
          name: 'board',
          opened: (reader) => reading(reader, space),
          committed: () => [],
          control: () => texts,
        },
      ]),
    );
    store(board, [1, 1], board.value.encode('one'));
    store(board, [1, 2], damaged);
    store(board, [1, 3], board.value.encode('three'));
    seat.restart();
    rig.settle();
  }

  test('of what is only shown goes on without it, and the record is set aside', () => {
    withView(shown);
    expect(seat.partition.control('board', {})).toEqual(['one', 'three']);
    expect(setAside()).toEqual([['the entry 1, 2 of board', damaged]]);
  });

  test('of anything else fails, and the record is set aside', () => {
    withView(board);
    expect(() => seat.partition.control('board', {})).toThrow('the entry 1, 2 of board cannot be decoded');
    rig.settle();
    expect(setAside()).toEqual([['the entry 1, 2 of board', damaged]]);
  });
});
