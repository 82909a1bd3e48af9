/** Messages to the partition's own actor, and replies delegated from actor to actor. */
import { beforeEach, describe, expect, test } from 'vitest';
import { delegatedReply } from '../../src/runtime/contract.ts';
import { Failure } from '../../src/runtime/errors.ts';
import { act, Decided, Guessed, notes, playerOf, Said, Stage } from './support/players.ts';
import { Rig, type Seat } from './support/rig.ts';

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);

let rig: Rig;
let sender: Seat;
let receiver: Seat;

beforeEach(() => {
  rig = new Rig(2);
  [sender, receiver] = rig.seats as [Seat, Seat];
  rig.scripts.define('note', (turn, text) => turn.put(notes, [turn.self.key, 0], text as string));
});

const heard = () => receiver.disk.get(notes, [bob, 0]);

describe('the partition actor', () => {
  test('receives messages by its number, wherever it lives', () => {
    rig.scripts.define('tell stages', (turn) => {
      for (const partition of [0n, 1n]) turn.tell(Stage.hear.to(partition, { script: 'report', argument: 'x' }));
    });
    const seen: unknown[] = [];
    rig.scripts.define('report', (turn) => seen.push([turn.self.key, turn.partition, turn.partitions]));
    rig.call(act(alice, 'tell stages'));
    rig.settle();
    expect(seen).toEqual([
      [0n, 0, 2],
      [1n, 1, 2],
    ]);
  });
});

describe('a delegated reply', () => {
  test('comes from the last actor of the chain, after its commit', () => {
    rig.scripts.define('ask bob', (turn, text) => turn.delegateReply(act(bob, 'ask carol', text)));
    rig.scripts.define('ask carol', (turn, text) => turn.delegateReply(act(playerOf(0, 2, 4), 'answer', text)));
    rig.scripts.define('answer', (turn, text) => {
      turn.put(notes, [turn.self.key, 1], text as string);
      return `${text}, says ${turn.self.key === bob ? 'bob' : 'carol'}`;
    });
    const call = rig.call(act(alice, 'ask bob', 'hello'));
    for (let hop = 0; hop < 2; hop += 1) {
      for (const seat of rig.seats) seat.settle();
      expect(rig.repliesTo(call)).toEqual([]);
      rig.deliver();
    }
    sender.run();
    expect(rig.repliesTo(call)).toEqual([]);
    sender.log.complete();
    expect(rig.valueOf(call)).toBe('hello, says carol');
    rig.settle();
    expect(rig.repliesTo(call)).toHaveLength(1);
  });

  test('may be a refusal', () => {
    rig.scripts.define('ask bob', (turn) => turn.delegateReply(act(bob, 'refuse')));
    rig.scripts.define('refuse', () => {
      throw new Failure('forbidden');
    });
    const call = rig.call(act(alice, 'ask bob'));
    rig.settle();
    expect(rig.refusalOf(call)).toBe('forbidden');
  });

  test.each([
    ['says so without delegating it', 'forgetful'],
    ['delegates it and answers as well', 'eager'],
    ['delegates it twice', 'double'],
  ])('a handler that %s has made a mistake', (_, script) => {
    rig.scripts.define('forgetful', () => delegatedReply);
    rig.scripts.define('eager', (turn) => {
      turn.delegateReply(act(bob, 'note', 'x'));
      return 'an answer';
    });
    rig.scripts.define('double', (turn) => {
      turn.delegateReply(act(bob, 'note', 'x'));
      return turn.delegateReply(act(bob, 'note', 'y'));
    });
    const call = rig.call(act(alice, script));
    rig.settle();
    expect(rig.refusalOf(call)).toBe('internal');
    expect(heard()).toBeUndefined();
  });

  test('comes after the events of its turn', () => {
    rig.scripts.define('late', (turn) => {
      const delegated = turn.delegateReply(act(bob, 'note', 'x'));
      turn.emit(Said, { what: 'too late' });
      return delegated;
    });
    const call = rig.call(act(alice, 'late'));
    rig.settle();
    expect(rig.refusalOf(call)).toBe('internal');
  });
});

describe('a reply tells whether a turn behind it has invalidated what threads cache', () => {
  const answering = 'answers';
  beforeEach(() => {
    rig.scripts.define(answering, () => 'done');
    rig.scripts.define('says', (turn) => turn.emit(Said, { what: 'hello' }));
    rig.scripts.define('guesses', (turn) => turn.emit(Guessed, {}));
    rig.scripts.define('decides', (turn) => turn.emit(Decided, {}));
    rig.scripts.define('decides and asks', (turn) => {
      turn.emit(Decided, {});
      return turn.delegateReply(act(bob, answering));
    });
    rig.scripts.define('asks who decides', (turn) => turn.delegateReply(act(bob, 'decides and asks')));
    rig.scripts.define('tells who decides', (turn) => turn.tell(act(bob, 'decides')));
  });

  test.each([
    [answering, false],
    ['says', false],
    ['guesses', false],
    ['decides', true],
    ['decides and asks', true],
    ['asks who decides', true],
    ['tells who decides', false],
  ])('one that %s: %s', (script, invalidates) => {
    const call = rig.call(act(alice, script));
    rig.settle();
    expect(rig.repliesTo(call)).toHaveLength(1);
    expect(rig.invalidating.has(call)).toBe(invalidates);
  });
});
