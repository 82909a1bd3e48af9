/** The id of a request travels with everything that it causes, and each step is logged with it. */
import { beforeEach, expect, test } from 'vitest';
import { act, Fetch, hear, Player, playerOf, Stage } from '../support/players.ts';
import { Rig } from '../support/rig.ts';

const alice = playerOf(0, 2);
const bob = playerOf(1, 2);
const carol = playerOf(0, 2, 3);

let rig: Rig;

beforeEach(() => {
  rig = new Rig(2);
  rig.scripts.define('post', (turn) => {
    turn.tell(hear(bob, 'mentioned'));
    turn.tell(hear(carol, 'fails'));
    turn.effect(Fetch, { what: 'a page' }, Player.answered);
    turn.schedule(turn.now + 1_000, hear(bob, 'reminded'));
  });
  rig.scripts.define('mentioned', (turn) => turn.tell(Stage.hear.to(1n, { script: 'delivers', argument: turn.cause })));
  rig.scripts.define('delivers', (turn, argument) => expect(turn.cause).toBe(argument));
  rig.scripts.define('reminded', () => undefined);
  rig.scripts.define('answered', () => undefined);
  rig.scripts.define('fails', () => {
    throw new Error('she has fallen');
  });
});

function settleAll(): void {
  rig.settle();
  for (const { partition, effects } of rig.seats)
    for (const { sequence } of effects.splice(0)) partition.effectAnswered(sequence, null);
  rig.settle();
  rig.pass(1_000);
  rig.settle();
}

const steps = () => rig.seats.flatMap(({ traced }) => traced);

test('through messages, channels, effects and timers, over a restart', () => {
  rig.call(act(alice, 'post'), 'account:alice', undefined, 'request-1');
  rig.seats[0]!.settle();
  expect(rig.seats[0]!.effects.map(({ cause }) => cause)).toEqual(['request-1']);
  for (const seat of rig.seats) seat.restart();
  settleAll();
  expect(steps().toSorted()).toEqual([
    `request-1 turn player.act ${alice}`,
    `request-1 turn player.answered ${alice}`,
    `request-1 turn player.hear ${carol} failed`,
    `request-1 turn player.hear ${bob}`,
    `request-1 turn player.hear ${bob}`,
    'request-1 turn stage.hear 1',
  ]);
});

test('a dead letter that is sent again goes on with it', () => {
  rig.call(act(alice, 'post'), 'account:alice', undefined, 'request-2');
  settleAll();
  rig.seats[0]!.traced.length = 0;
  rig.orderLetters(0, { what: 'retry', sequences: [1] });
  rig.settle();
  expect(rig.seats[0]!.traced).toEqual([`request-2 turn player.hear ${carol} failed`]);
});

test('without tracing nothing is logged, and messages are stored as before', () => {
  rig.call(act(alice, 'post'));
  rig.seats[0]!.settle();
  expect([steps(), rig.seats[0]!.effects[0]!.cause]).toEqual([[], undefined]);
});
