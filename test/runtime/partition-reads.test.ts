/**
 * Reads of a turn: its own writes, the filling batch, the batch under way, the snapshot; and when others see its
 * writes.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlayerTurn } from './support/players.ts';
import { act, board, grudges, hear, notes, playerOf } from './support/players.ts';
import { Rig } from './support/rig.ts';

const alice = playerOf(0, 1);

let rig: Rig;

beforeEach(() => {
  rig = new Rig();
  rig.scripts.define('write', (turn, argument) => {
    for (const [position, text] of argument as [number, string | undefined][]) {
      if (text === undefined) turn.delete(notes, [turn.self.key, position]);
      else turn.put(notes, [turn.self.key, position], text);
    }
    return 'written';
  });
  rig.scripts.define('read', (turn) => notesOf(turn));
  rig.scripts.define('get', (turn, position) => turn.get(notes, [turn.self.key, position as number]));
});

function notesOf(turn: PlayerTurn, reverse = false): string {
  return [...turn.range(notes, [turn.self.key], { reverse })].map(({ key, value }) => `${key[1]}${value}`).join(' ');
}

function write(...entries: [number, string | undefined][]): number {
  return rig.call(act(alice, 'write', entries));
}

test('a reply tells of the commit it waited for, or, where it wrote nothing, of the one it has read', () => {
  write([1, 'a']);
  rig.seat.settle();
  write([1, 'b']);
  write([2, 'b']);
  rig.seat.settle();
  rig.call(act(alice, 'read'));
  rig.seat.settle();
  expect(rig.seat.positions.map(({ partition, commit }) => `${partition}:${commit}`)).toEqual([
    '0:1',
    '0:2',
    '0:2',
    '0:2',
  ]);
});

describe('a turn reads', () => {
  /** a in the snapshot, b in flight, c in the filling batch; each layer also changes and deletes what is below. */
  function fillAllLayers(): void {
    write([1, 'a'], [2, 'a'], [3, 'a'], [4, 'a']);
    rig.seat.settle();
    write([2, 'b'], [4, undefined], [5, 'b'], [6, 'b']);
    rig.seat.run();
    expect(rig.seat.log.waiting).toBe(1);
    write([3, 'c'], [4, 'c'], [6, undefined], [7, 'c']);
    rig.seat.run();
    expect(rig.seat.log.waiting).toBe(1);
  }

  test('its own writes before all others', () => {
    fillAllLayers();
    rig.scripts.define('rewrite', (turn) => {
      turn.put(notes, [alice, 1], 'd');
      turn.delete(notes, [alice, 3]);
      turn.put(notes, [alice, 6], 'd');
      turn.delete(notes, [alice, 7]);
      return [notesOf(turn), notesOf(turn, true), turn.get(notes, [alice, 3]), turn.get(notes, [alice, 6])];
    });
    const call = rig.call(act(alice, 'rewrite'));
    rig.seat.settle();
    expect(rig.valueOf(call)).toEqual(['1d 2b 4c 5b 6d', '6d 5b 4c 2b 1d', undefined, 'd']);
  });

  test('the filling batch, the batch in flight and the snapshot, the newest first', () => {
    fillAllLayers();
    const range = rig.call(act(alice, 'read'));
    const gets = [1, 2, 3, 4, 5, 6, 7, 8].map((position) => rig.call(act(alice, 'get', position)));
    rig.seat.settle();
    expect(rig.valueOf(range)).toBe('1a 2b 3c 4c 5b 7c');
    expect(gets.map((call) => rig.valueOf(call))).toEqual(['a', 'b', 'c', 'c', 'b', undefined, 'c', undefined]);
  });

  test('the same after the layers have become the snapshot', () => {
    fillAllLayers();
    rig.seat.settle();
    const call = rig.call(act(alice, 'read'));
    rig.seat.settle();
    expect(rig.valueOf(call)).toBe('1a 2b 3c 4c 5b 7c');
  });

  test('what a turn before it in the same batch wrote', () => {
    write([1, 'a']);
    const call = rig.call(act(alice, 'read'));
    rig.seat.settle();
    expect(rig.valueOf(call)).toBe('1a');
  });

  test('what it writes itself where it had nothing', () => {
    rig.scripts.define('bear a grudge', (turn) => {
      const grudgesOf = () => [...turn.range(grudges, [turn.self.key])].map(({ value }) => value);
      const before = [turn.get(grudges, [turn.self.key, 1]), grudgesOf()];
      turn.put(grudges, [turn.self.key, 1], 'old');
      const after = [turn.get(grudges, [turn.self.key, 1]), grudgesOf()];
      turn.delete(grudges, [turn.self.key, 1]);
      return { before, after, atLast: [turn.get(grudges, [turn.self.key, 1]), grudgesOf()] };
    });
    const nothing = [undefined, []];
    const expected = { before: nothing, after: ['old', ['old']], atLast: nothing };
    for (let count = 0; count < 2; count += 1) {
      const call = rig.call(act(alice, 'bear a grudge'));
      rig.seat.settle();
      expect(rig.repliesTo(call)).toEqual([{ ok: true, value: expected }]);
    }
  });

  test('what other actors of the partition wrote to a keyspace that all share', () => {
    const bob = playerOf(0, 1, 5);
    rig.scripts.define('post', (turn, text) => turn.put(board, [1, Number(turn.self.key & 0xffffn)], text as string));
    rig.scripts.define('look', (turn) => [...turn.range(board, [1])].map(({ value }) => value));
    rig.call(act(alice, 'post', 'from alice'));
    rig.seat.settle();
    rig.call(act(bob, 'post', 'from bob'));
    const call = rig.call(act(alice, 'look'));
    rig.seat.settle();
    expect(rig.valueOf(call)).toEqual(['from alice', 'from bob']);
  });
});

describe('a turn may not', () => {
  const carol = playerOf(0, 1, 9);

  test.each([
    ['write what belongs to another slot', (turn: PlayerTurn) => turn.put(notes, [carol, 1], 'x')],
    ['delete what belongs to another slot', (turn: PlayerTurn) => turn.delete(notes, [carol, 1])],
    ['read what belongs to another slot', (turn: PlayerTurn) => turn.get(notes, [carol, 1])],
    ['range over what belongs to another slot', (turn: PlayerTurn) => [...turn.range(notes, [carol])]],
    ['put a value that is too large', (turn: PlayerTurn) => turn.put(notes, [alice, 1], 'x'.repeat(1024 * 1024 + 1))],
  ])('%s', (_, attempt) => {
    rig.scripts.define('attempt', (turn) => attempt(turn));
    const call = rig.call(act(alice, 'attempt'));
    rig.seat.settle();
    expect(rig.refusalOf(call)).toBe('internal');
    expect(rig.seat.problems).toHaveLength(1);
  });
});

describe('a reply', () => {
  test('leaves after the commit of its turn, not before', () => {
    const call = write([1, 'a']);
    rig.seat.run();
    expect(rig.repliesTo(call)).toEqual([]);
    rig.seat.log.complete();
    expect(rig.valueOf(call)).toBe('written');
    expect(rig.seat.disk.get(notes, [alice, 1])).toBe('a');
  });

  test('of a turn that only read waits for the batch in flight, which it may have seen', () => {
    write([1, 'a']);
    rig.seat.run();
    const call = rig.call(act(alice, 'read'));
    rig.seat.run();
    expect(rig.repliesTo(call)).toEqual([]);
    rig.seat.log.complete();
    expect(rig.valueOf(call)).toBe('1a');
  });

  test('of a turn that only read leaves without a commit when nothing is in flight', () => {
    const call = rig.call(act(alice, 'read'));
    rig.seat.run();
    expect(rig.valueOf(call)).toBe('');
    expect(rig.seat.log.waiting).toBe(0);
  });

  test('is given once', () => {
    const call = write([1, 'a']);
    rig.seat.settle();
    rig.seat.settle();
    expect(rig.repliesTo(call)).toHaveLength(1);
  });
});

describe('a handler that throws', () => {
  beforeEach(() => {
    rig.scripts.define('mess', (turn) => {
      turn.put(notes, [alice, 1], 'a');
      turn.tell(hear(alice, 'write', [[2, 'told']]));
      turn.schedule(rig.now, hear(alice, 'write', [[3, 'timed']]));
      turn.nextId();
      throw new Error('a mistake');
    });
  });

  test('leaves no trace of a call but the reply', () => {
    const before = rig.seat.disk;
    const call = rig.call(act(alice, 'mess'));
    const read = rig.call(act(alice, 'read'));
    rig.seat.settle();
    expect(rig.refusalOf(call)).toBe('internal');
    expect(rig.valueOf(read)).toBe('');
    expect([...rig.seat.disk.range(notes, [alice])]).toEqual([...before.range(notes, [alice])]);
    expect(rig.seat.partition.isSettled).toBe(true);
    expect(rig.seat.problems.map(({ message }) => message)).toEqual(['a turn of player.act failed']);
  });

  test.each([
    [
      'a message to a partition that does not exist',
      (turn: PlayerTurn) => turn.tell({ ...hear(alice, 'x'), partition: 9 }),
    ],
    ['a body that cannot be stored', (turn: PlayerTurn) => turn.tell(hear(alice, 'x', 1n << 70n))],
    ['a timer whose body cannot be stored', (turn: PlayerTurn) => turn.schedule(rig.now, hear(alice, 'x', 1n << 70n))],
    ['a timer at no time', (turn: PlayerTurn) => turn.schedule(Number.NaN, hear(alice, 'x'))],
    ['a timer that never comes', (turn: PlayerTurn) => turn.schedule(Number.POSITIVE_INFINITY, hear(alice, 'x'))],
  ])('even when it is the machine that refuses: %s', (_, attempt) => {
    rig.scripts.define('attempt', (turn) => {
      turn.put(notes, [alice, 1], 'trace');
      attempt(turn);
    });
    const call = rig.call(act(alice, 'attempt'));
    const read = rig.call(act(alice, 'read'));
    rig.seat.settle();
    expect(rig.refusalOf(call)).toBe('internal');
    expect(rig.valueOf(read)).toBe('');
    expect(rig.seat.partition.isSettled).toBe(true);
  });
});
