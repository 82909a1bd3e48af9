/** Effects: after the commit, remembered until answered, repeated at need, answered once. */
import { beforeEach, expect, test } from 'vitest';
import { effects } from '../../src/runtime/storage/machine.ts';
import { act, Fetch, hear, notes, Player, playerOf } from './support/players.ts';
import { Rig } from './support/rig.ts';

const alice = playerOf(0, 1);

let rig: Rig;

beforeEach(() => {
  rig = new Rig();
  rig.scripts.define('fetch', (turn, what) => turn.effect(Fetch, { what: what as string }, Player.answered));
  rig.scripts.define('answered', (turn, answer) => {
    const before = turn.get(notes, [alice, 0]) ?? '';
    turn.put(notes, [alice, 0], `${before}${answer}`);
  });
});

function answers(): string | undefined {
  return rig.seat.disk.get(notes, [alice, 0]);
}

test('an effect runs after the commit of its turn', () => {
  rig.call(act(alice, 'fetch', 'page'));
  rig.seat.run();
  expect(rig.seat.effects).toEqual([]);
  rig.seat.log.complete();
  expect(rig.seat.effects).toEqual([{ sequence: 1, effect: Fetch.number, request: { what: 'page' } }]);
});

test('its answer is a message to the actor that asked, once, however often it comes', () => {
  rig.call(act(alice, 'fetch', 'page'));
  rig.seat.settle();
  rig.seat.partition.effectAnswered(1, 'A');
  rig.seat.partition.effectAnswered(1, 'B');
  rig.seat.settle();
  rig.seat.partition.effectAnswered(1, 'C');
  rig.seat.settle();
  expect(answers()).toBe('A');
  expect([...rig.seat.disk.range(effects, [])]).toEqual([]);
});

test('an answer to a question that nobody asked is dropped', () => {
  rig.seat.partition.effectAnswered(77, 'A');
  rig.seat.settle();
  expect(answers()).toBeUndefined();
  expect(rig.seat.partition.isSettled).toBe(true);
});

test('a restart asks again what was not answered, and not what was', () => {
  for (const what of ['one', 'two', 'three']) rig.call(act(alice, 'fetch', what));
  rig.seat.settle();
  rig.seat.partition.effectAnswered(2, 'A');
  rig.seat.settle();
  rig.seat.effects.splice(0);
  rig.seat.restart();
  expect(rig.seat.effects.map(({ sequence }) => sequence)).toEqual([1, 3]);
  rig.seat.partition.effectAnswered(3, 'C');
  rig.seat.partition.effectAnswered(1, 'B');
  rig.seat.settle();
  expect(answers()).toBe('ACB');
});

test('an answer whose commit was lost is asked for again and runs once', () => {
  rig.call(act(alice, 'fetch', 'page'));
  rig.seat.settle();
  rig.seat.partition.effectAnswered(1, 'A');
  rig.seat.run();
  rig.seat.restart();
  expect(rig.seat.effects.map(({ sequence }) => sequence)).toEqual([1, 1]);
  rig.seat.partition.effectAnswered(1, 'A');
  rig.seat.settle();
  expect(answers()).toBe('A');
});

test('a new effects thread is asked for what is committed and open, never for what is not committed', () => {
  rig.call(act(alice, 'fetch', 'committed'));
  rig.call(act(alice, 'fetch', 'answered'));
  rig.seat.settle();
  rig.call(act(alice, 'fetch', 'in flight'));
  rig.seat.run();
  rig.call(act(alice, 'fetch', 'filling'));
  rig.seat.partition.effectAnswered(2, 'A');
  rig.seat.run();
  rig.seat.effects.splice(0);
  rig.seat.partition.repeatEffects();
  expect(rig.seat.effects.map(({ request }) => request)).toEqual([{ what: 'committed' }]);
  rig.seat.settle();
  expect(rig.seat.effects.map(({ request }) => request)).toEqual([
    { what: 'committed' },
    { what: 'in flight' },
    { what: 'filling' },
  ]);
});

test('the answer belongs to the flow of the turn that asked', () => {
  rig.scripts.define('answered', (turn) => turn.put(notes, [alice, 1], turn.flow));
  rig.call(act(alice, 'fetch', 'page'), 'domain:social.example');
  rig.seat.settle();
  rig.seat.partition.effectAnswered(1, 'A');
  rig.seat.settle();
  expect(rig.seat.disk.get(notes, [alice, 1])).toBe('domain:social.example');
});

test('flows are inherited by messages and timers', () => {
  rig.scripts.define('pass on', (turn) => {
    turn.tell(hear(alice, 'note flow', 1));
    turn.schedule(turn.now + 10, hear(alice, 'note flow', 2));
  });
  rig.scripts.define('note flow', (turn, position) => turn.put(notes, [alice, position as number], turn.flow));
  rig.call(act(alice, 'pass on'), 'domain:social.example');
  rig.seat.settle();
  rig.pass(10);
  rig.seat.settle();
  expect([1, 2].map((position) => rig.seat.disk.get(notes, [alice, position]))).toEqual([
    'domain:social.example',
    'domain:social.example',
  ]);
});
