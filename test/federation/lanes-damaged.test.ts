/** Entries of the delivery log that cannot be decoded are passed over; what can be delivered is. */
import { expect, test } from 'vitest';
import {
  deliveryLog,
  deliveryReaders,
  followerHostInboxes,
  hostsByNumber,
  laneStates,
} from '../../src/actors/partition/partition.state.ts';
import type { Keyspace } from '../../src/runtime/storage/keyspace.ts';
import { alice, create, createLanes, unreachable } from './delivery/lanes-bed.ts';

const inbox = 'https://ill.example/inbox';
const followers = { followersOf: alice };

test.each<[string, Pick<Keyspace<never, unknown>, 'encode'>, readonly unknown[], number]>([
  ['delivery', deliveryLog, [2], 4],
  ['host', hostsByNumber, [1], 0],
  ['inbox', followerHostInboxes, [alice, 1, inbox], 0],
  ['progress of a lane', laneStates, [1], 5],
  ['progress of a thread', deliveryReaders, [0], 5],
])('a damaged %s is passed over, and the log does not grow', async (_what, space, key, delivered) => {
  const lanes = await createLanes({ partitions: 1 });
  lanes.follow(alice, inbox);
  lanes.answer('ill.example', () => unreachable);
  lanes.tell(create(), followers);
  await lanes.advance(5_000);
  for (let count = 0; count < 3; count += 1) lanes.tell(create(), { ...followers, isUnheard: true });
  expect(lanes.damage(space, key as never)).toBe(1);
  lanes.answer('ill.example', () => 202);
  const before = lanes.sent.length;
  await lanes.crash();
  lanes.tell(create(), followers);
  await lanes.advance(120_000);
  expect(new Set(lanes.sent.slice(before).map(({ about }) => about)).size).toBe(delivered);
  expect(lanes.logged()).toBe(0);
  expect(lanes.problems).toEqual([]);
});

test('more damaged deliveries than are read at once do not keep the others from being read', async () => {
  const lanes = await createLanes({ partitions: 1 });
  lanes.follow(alice, inbox);
  for (let count = 0; count < 40; count += 1) lanes.tell(create(), { ...followers, isUnheard: true });
  for (let sequence = 1; sequence < 40; sequence += 1) expect(lanes.damage(deliveryLog, [sequence])).toBe(1);
  await lanes.crash();
  await lanes.advance(5_000);
  expect(lanes.sent).toHaveLength(1);
  expect(lanes.logged()).toBe(0);
});
