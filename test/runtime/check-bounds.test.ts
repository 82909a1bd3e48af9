/**
 * `murmuration check` verifies bounds: by count for each actor and partition, by age through what is to remove an entry.
 */
import { describe, expect, test } from 'vitest';
import { pack, packed } from '../../src/runtime/codec.ts';
import { composeId } from '../../src/runtime/ids.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { checkPartition } from '../../src/runtime/storage/check.ts';
import { checkServer } from '../../src/runtime/storage/check-server.ts';
import { id, keyspace, uint32, uint53 } from '../../src/runtime/storage/keyspace.ts';
import {
  deadLetters,
  effects,
  inbox,
  machineKeyspaces,
  meta,
  startingMeta,
  timers,
} from '../../src/runtime/storage/machine.ts';
import { awaits, trimmed } from '../../src/runtime/storage/rules.ts';
import { MemoryStore } from '../support/memory-log.ts';

const bound = { by: 'count', entries: 2 } as const;
const common = { owner: 'player', value: packed<string>(), bound };
const scores = keyspace<[bigint, number], string>({
  ...common,
  ...{ number: 210, name: 'scores', key: [id('player'), uint32('game')] },
});
const flags = keyspace<[number], string>({
  ...common,
  ...{ number: 211, name: 'flags', partitionWide: true, key: [uint32('place')] },
});

const alice = composeId(1, 3, 0);
const bob = composeId(1, 3, 1);

test.each<[string, readonly Buffer[], readonly string[]]>([
  ['two of each actor', [alice, bob].flatMap((player) => [1, 2].map((game) => scores.encode([player, game]))), []],
  [
    'three of one actor',
    [1, 2, 3].map((game) => scores.encode([alice, game])),
    ['There are 3 entries of scores where 2 may be.'],
  ],
  ['two of the partition', [1, 2].map((place) => flags.encode([place])), []],
  [
    'three of the partition',
    [1, 2, 3].map((place) => flags.encode([place])),
    ['There are 3 entries of flags where 2 may be.'],
  ],
])('%s', (_what, keys, problems) => {
  const reader = new MemoryStore();
  reader.apply({ keys, values: keys.map(() => common.value.encode('here')) });
  const keyspaces = [scores, flags];
  const checked = checkPartition({ partition: 0, placement: evenPlacement(1), reader, keyspaces, rules: [] });
  expect(checked.problems).toEqual(problems);
});

describe('a bound that other actors see to', () => {
  const looks = keyspace<[bigint, number], string>({
    ...{ number: 212, name: 'looks', owner: 'player', value: packed<string>(), key: [id('player'), uint32('game')] },
    bound: { ...bound, atRest: true },
  });

  test.each([
    ['while messages are on their way', [pack([1, bob, 5, {}, 'system'])], []],
    ['at rest', [], ['There are 3 entries of looks where 2 may be.']],
  ] as const)('%s', (_when, waiting, problems) => {
    const reader = new MemoryStore();
    const entries = [1, 2, 3].map((game) => looks.encode([alice, game]));
    const messages = waiting.map((message, index) => [inbox.encode([index + 1]), message] as const);
    const keys = [...entries, ...messages.map(([key]) => key), meta.encode([0])];
    const values = [
      ...entries.map(() => pack('here')),
      ...waiting,
      meta.value.encode({ ...startingMeta, inboxSequence: 1 }),
    ];
    reader.apply({ keys, values });
    const checked = checkServer({ placement: evenPlacement(1), readers: [reader], keyspaces: [looks], rules: [] });
    expect(checked.partitions.flatMap((outcome) => outcome.problems)).toEqual(problems);
  });
});

describe('an entry that waits for a message', () => {
  const seats = keyspace<[bigint, number], string>({
    ...{ number: 213, name: 'seats', owner: 'player', value: packed<string>(), key: [id('player'), uint32('game')] },
    bound: { by: 'age', milliseconds: 1 },
  });
  const leave = { kind: 7, number: 3, name: 'leave' };
  const rules = [
    awaits(seats, [leave], {
      isAwaiting: (_key, value) => value !== 'for ever',
      isMeant: ([, game], body: { readonly game: number }) => body.game === game,
    }),
  ];
  const messageOf = (player: bigint | string, number: number, game: number) =>
    [leave.kind, player, number, { game }, 'system'] as const;
  const meant = messageOf(alice, leave.number, 1);
  const effect = {
    effect: 9,
    request: { game: 1 },
    kind: leave.kind,
    key: alice,
    message: leave.number,
    flow: 'system',
  };
  const letter = { at: 1, message: meant, error: 'failed' };
  const missing = [`The entry ${alice}, 1 of seats waits for leave, which will not come.`];

  test.each<[string, readonly (readonly [Buffer, Uint8Array])[], readonly string[]]>([
    ['a timer brings', [[timers.encode([5, 1]), pack(meant)]], []],
    ['the inbox brings', [[inbox.encode([1]), pack(meant)]], []],
    ['an effect brings', [[effects.encode([1]), pack(effect)]], []],
    ['a dead letter keeps', [[deadLetters.encode([1]), pack(letter)]], []],
    ['nothing brings', [], missing],
    ['a timer brings to somebody else', [[timers.encode([5, 1]), pack(messageOf(bob, leave.number, 1))]], missing],
    ['a timer brings for another game', [[timers.encode([5, 1]), pack(messageOf(alice, leave.number, 2))]], missing],
    ['a timer brings another message in place of', [[timers.encode([5, 1]), pack(messageOf(alice, 4, 1))]], missing],
  ])('%s it', (_what, messages, problems) => {
    const reader = new MemoryStore();
    reader.apply({
      keys: [seats.encode([alice, 1]), seats.encode([bob, 2]), ...messages.map(([key]) => key)],
      values: [pack('here'), pack('for ever'), ...messages.map(([, message]) => message)],
    });
    const input = { partition: 0, placement: evenPlacement(1), reader, keyspaces: [...machineKeyspaces, seats], rules };
    expect(checkPartition(input).problems).toEqual(problems);
  });
});

describe('a log whose oldest entries later writes remove', () => {
  const log = keyspace<[number], number>({
    ...{ number: 214, name: 'log', owner: 'player', partitionWide: true, value: packed<number>() },
    ...{ key: [uint53('number')], bound: { by: 'age', milliseconds: 100 } },
  });
  const rules = [trimmed(log, { milliseconds: 100, overtakenMax: 2, writtenAt: (at) => at })];

  test.each<[string, readonly number[], readonly string[]]>([
    ['none is too old', [10, 20, 100, 110], []],
    ['few came after the time of the first', [10, 20, 111, 112], []],
    ['the clock was set back', [1_000, 1_200, 1_201, 10, 11, 12, 13], []],
    ['many came after it', [10, 20, 111, 112, 113], ['The entry 1 of log is still there 3 entries after its time.']],
  ])('%s', (_what, times, problems) => {
    const reader = new MemoryStore();
    reader.apply({ keys: times.map((_at, index) => log.encode([index + 1])), values: times.map((at) => pack(at)) });
    const input = { partition: 0, placement: evenPlacement(1), reader, keyspaces: [log], rules };
    expect(checkPartition(input).problems).toEqual(problems);
  });
});
