/** A turn has its own actor's keys and copies of all values: changes to them are invisible to others. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '../../src/runtime/errors.ts';
import { deadLetters, inbox } from '../../src/runtime/storage/machine.ts';
import { act, board, Fetch, hear, notes, Player, type PlayerTurn, playerOf, Said, Stage } from './support/players.ts';
import { Rig } from './support/rig.ts';

const alice = playerOf(0, 1);
const bob = playerOf(0, 1, 1);
const carol = playerOf(0, 1, 2);
/** Of the same slot as alice. */
const neighbour = alice + 1n;

let rig: Rig;

beforeEach(() => {
  rig = new Rig();
});

function run(player: bigint, work: (turn: PlayerTurn) => unknown): { value?: unknown; refused?: string } {
  rig.scripts.define('work', work);
  const call = rig.call(act(player, 'work'));
  rig.settle();
  const refused = rig.refusalOf(call);
  return refused === undefined ? { value: rig.valueOf(call) } : { refused };
}

function problems(): string[] {
  return rig.seats.flatMap(({ problems: found }) => found.map(({ error }) => String(error)));
}

describe('what a turn has read', () => {
  const scene = { list: ['a'], nested: { deep: ['b'] } };
  const read = (turn: PlayerTurn) => turn.get(notes, [alice, 1]) as unknown as typeof scene;

  test.each([
    ['at the top', (turn: PlayerTurn) => Object.assign(read(turn), { list: [] })],
    ['in a list', (turn: PlayerTurn) => read(turn).list.push('spoiled')],
    ['far inside', (turn: PlayerTurn) => read(turn).nested.deep.push('spoiled')],
  ])('cannot be changed for the next turn: %s', (_where, spoil) => {
    run(alice, (turn) => turn.put(notes, [alice, 1], scene as never));
    run(alice, (turn) => {
      try {
        spoil(turn);
      } catch {
        throw new Failure('conflict');
      }
    });
    expect(run(alice, read)).toEqual({ value: scene });
  });
});

describe.each([
  ['within a partition', 1],
  ['between partitions', 2],
])('what is told %s', (_where, partitions) => {
  test('is each hearer’s own, as it was when it was told', () => {
    rig = new Rig(partitions);
    const teller = playerOf(0, partitions);
    const hearers = [1, 2].map((index) => playerOf(partitions - 1, partitions, index));
    const heard: unknown[] = [];
    rig.scripts.define('tell', (turn) => {
      const body: { list: number[]; left?: undefined } = { list: [1], left: undefined };
      for (const hearer of hearers) turn.tell(hear(hearer, 'hear', body));
      body.list.push(2);
    });
    rig.scripts.define('hear', (_turn, argument) => {
      heard.push(structuredClone(argument));
      // Tests freeze what is heard.
      expect(() => (argument as { list: number[] }).list.push(3)).toThrow(TypeError);
    });
    rig.call(act(teller, 'tell'));
    rig.settle();
    expect(heard).toEqual([
      { list: [1], left: undefined },
      { list: [1], left: undefined },
    ]);
  });

  test('is kept as a letter as it was told, whatever the turn that failed did to it', () => {
    rig = new Rig(partitions);
    const hearer = playerOf(partitions - 1, partitions, 1);
    rig.scripts.define('tell', (turn) => turn.tell(hear(hearer, 'spoil', { list: [1] })));
    rig.scripts.define('spoil', (_turn, argument) => {
      (argument as { list: number[] }).list.push(2);
      throw new Error('no');
    });
    rig.call(act(playerOf(0, partitions), 'tell'));
    rig.settle();
    const letters = [...rig.seats[partitions - 1]!.disk.range(deadLetters, [])];
    expect(letters.map(({ value }) => value.message[3])).toEqual([{ script: 'spoil', argument: { list: [1] } }]);
  });
});

describe('a test finds a handler that changes', () => {
  test.each([
    ['what it was told', (_turn: PlayerTurn, told: string[]) => told.push('more')],
    [
      'an event that it has emitted',
      (turn: PlayerTurn) => {
        const body = { what: 'said', list: ['a'] };
        turn.emit(Said, body);
        body.list.push('b');
      },
    ],
    [
      'a request that it has made',
      (turn: PlayerTurn) => {
        const request = { what: 'page' };
        turn.effect(Fetch, request, Player.answered);
        request.what = 'another';
      },
    ],
  ])('%s', (_what, spoil) => {
    rig.scripts.define('spoil', (turn, told) => void spoil(turn, told as string[]));
    const call = rig.call(act(alice, 'spoil', ['told']));
    rig.settle();
    expect(rig.refusalOf(call)).toBe('internal');
    expect(problems().join()).toMatch(/TypeError: Cannot (add|assign)/);
  });
});

describe('a turn reaches', () => {
  test.each([
    ['a note of its own', (turn: PlayerTurn) => turn.put(notes, [alice, 1], 'mine'), true],
    ['a range of its own', (turn: PlayerTurn) => void [...turn.range(notes, [alice])], true],
    ['what its kind shares in the partition', (turn: PlayerTurn) => turn.put(board, [1, 1], 'for all'), true],
    ['no write to another of its slot', (turn: PlayerTurn) => turn.put(notes, [neighbour, 1], 'theirs'), false],
    ['no deletion at another of its slot', (turn: PlayerTurn) => turn.delete(notes, [neighbour, 1]), false],
    ['no look at another of its slot', (turn: PlayerTurn) => turn.get(notes, [neighbour, 1]), false],
    ['no range of another of its slot', (turn: PlayerTurn) => [...turn.range(notes, [neighbour])], false],
    ['nothing of another slot', (turn: PlayerTurn) => turn.get(notes, [bob, 1]), false],
    ['no look at what is the machine’s', (turn: PlayerTurn) => [...turn.range(inbox, [])], false],
    ['no write to what is the machine’s', (turn: PlayerTurn) => turn.delete(inbox, [1]), false],
  ])('%s', (_what, work, allowed) => {
    const outcome = run(alice, (turn) => void work(turn));
    expect(outcome).toEqual(allowed ? { value: undefined } : { refused: 'internal' });
    if (!allowed) expect(problems().join()).toContain('player');
  });

  test.each([
    ['what others share with its kind', (turn: PlayerTurn) => turn.put(board, [1, 1], 'for all'), true],
    ['nothing of an actor', (turn: PlayerTurn) => turn.put(notes, [alice, 1], 'hers'), false],
  ])('as the partition’s own actor %s', (_what, work, allowed) => {
    rig.scripts.define('work', work);
    rig.scripts.define('tell', (turn) => turn.tell(Stage.hear.to(0n, { script: 'work', argument: undefined })));
    rig.call(act(alice, 'tell'));
    rig.settle();
    expect(problems()).toHaveLength(allowed ? 0 : 1);
  });
});

test('a turn that is over cannot be used', () => {
  const uses: ((turn: PlayerTurn) => unknown)[] = [
    (turn) => turn.put(notes, [alice, 2], 'late'),
    (turn) => turn.delete(notes, [alice, 1]),
    (turn) => turn.get(notes, [alice, 1]),
    (turn) => [...turn.range(notes, [alice])],
    (turn) => turn.tell(hear(alice, 'nothing')),
    (turn) => turn.delegateReply(act(alice, 'nothing')),
    (turn) => turn.schedule(0, hear(alice, 'nothing')),
    (turn) => turn.emit(Said, { what: 'late' }),
    (turn) => turn.effect(Fetch, { what: 'late' }, Player.answered),
    (turn) => turn.nextId(),
    (turn) => turn.randomBytes(1),
  ];
  const kept: PlayerTurn[] = [];
  const ranges: Iterator<unknown>[] = [];
  const keep = (turn: PlayerTurn) => {
    kept.push(turn);
    for (const position of [1, 2, 3]) turn.put(notes, [alice, position], 'x');
    const range = turn.range(notes, [alice]);
    range.next();
    ranges.push(range);
  };
  run(alice, keep);
  run(alice, (turn) => {
    keep(turn);
    throw new Failure('conflict');
  });
  for (const turn of kept) for (const use of uses) expect(() => use(turn), String(use)).toThrow('turn is over');
  for (const range of ranges) expect(() => range.next()).toThrow('turn is over');
});

describe('a range', () => {
  const four = (turn: PlayerTurn) => {
    for (let position = 0; position < 4; position += 1) turn.put(notes, [alice, position], `v${position}`);
  };

  test.each([
    ['of its own writes', (turn: PlayerTurn) => four(turn), false, ['v0', 'v2']],
    ['of what is committed', () => undefined, false, ['v0', 'v2']],
    ['of what is committed, the newest first', () => undefined, true, ['v3', 'v1']],
  ])('%s does not show what the turn deletes ahead of it', (_what, before, reverse, expected) => {
    run(alice, four);
    const outcome = run(alice, (turn) => {
      before(turn);
      const seen: string[] = [];
      for (const { key, value } of turn.range(notes, [alice], { reverse })) {
        seen.push(value);
        turn.delete(notes, [alice, reverse ? Math.max(0, key[1] - 1) : key[1] + 1]);
      }
      return seen;
    });
    expect(outcome).toEqual({ value: expected });
  });

  test('shows what the turn has written ahead of it', () => {
    run(alice, four);
    const outcome = run(alice, (turn) => {
      const seen: string[] = [];
      for (const { key, value } of turn.range(notes, [alice])) {
        seen.push(value);
        if (key[1] === 1) turn.put(notes, [alice, 2], 'changed');
      }
      return seen;
    });
    expect(outcome).toEqual({ value: ['v0', 'v1', 'changed', 'v3'] });
  });
});

describe('a reply', () => {
  class Person {
    readonly name = 'alice';
  }
  const circle: unknown[] = [];
  circle.push(circle);

  test.each([
    ['a function', () => 1],
    ['a function inside', { list: [() => 1] }],
    ['a symbol', Symbol('odd')],
    ['an instance of a class', new Person()],
    ['a promise', Promise.resolve(1)],
    ['a circle', circle],
  ])('that is %s is the fault of its own turn', (_what, reply) => {
    rig.scripts.define('odd', (turn) => {
      turn.put(notes, [alice, 1], 'must not stay');
      return reply;
    });
    rig.scripts.define('even', () => 'even');
    const calls = ['even', 'odd', 'even'].map((script) => rig.call(act(alice, script)));
    rig.settle();
    expect(calls.map((call) => rig.refusalOf(call) ?? rig.valueOf(call))).toEqual(['even', 'internal', 'even']);
    expect(rig.seat.disk.get(notes, [alice, 1])).toBeUndefined();
    expect(problems()).toEqual([expect.stringContaining('plain data')]);
  });

  test('is as it was when its turn returned', () => {
    const kept = { list: [1], bytes: Uint8Array.of(1), absent: undefined, id: 7n, none: null };
    rig.scripts.define('reply', () => kept);
    const call = rig.call(act(carol, 'reply'));
    rig.seat.run();
    kept.list.push(2);
    kept.bytes[0] = 2;
    rig.settle();
    expect(rig.valueOf(call)).toEqual({ list: [1], bytes: Uint8Array.of(1), absent: undefined, id: 7n, none: null });
  });
});
