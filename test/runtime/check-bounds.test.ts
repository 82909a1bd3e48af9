/** `murmuration check` verifies bounds by count, per actor and per partition. */
import { expect, test } from 'vitest';
import { packed } from '../../src/runtime/codec.ts';
import { composeId } from '../../src/runtime/ids.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { checkPartition } from '../../src/runtime/storage/check.ts';
import { id, keyspace, uint32 } from '../../src/runtime/storage/keyspace.ts';
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
