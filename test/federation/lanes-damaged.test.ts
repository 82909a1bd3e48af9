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
import { StorageFailure } from '../../src/runtime/storage/log.ts';
import { alice, bob, create, createLanes, signer, unreachable } from './delivery/lanes-bed.ts';

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

test('an account whose keys are damaged is passed over', async () => {
  const findSigner = (accountId: bigint) => {
    if (accountId === alice) throw new Error('the entry 1000 of key pairs cannot be decoded');
    return signer;
  };
  const lanes = await createLanes({ partitions: 1, findSigner });
  lanes.tell(create(), { to: [inbox] });
  lanes.tell({ ...create(), actorId: bob }, { to: [inbox] });
  await lanes.advance(5_000);
  expect(lanes.sent).toHaveLength(1);
  expect(lanes.problems).toEqual(['an intent of kind create could not be made into a signed activity']);
  expect(lanes.logged()).toBe(0);
});

test('a disk that cannot be read for a moment loses no delivery', async () => {
  let isReadable = false;
  const findSigner = () => {
    if (!isReadable) throw new StorageFailure(new Error('EIO'));
    return signer;
  };
  const lanes = await createLanes({ partitions: 1, findSigner });
  lanes.tell(create(), { to: [inbox] });
  await lanes.advance(5_000);
  expect(lanes.sent).toHaveLength(0);
  isReadable = true;
  await lanes.advance(10 * 60_000);
  expect(lanes.sent).toHaveLength(1);
  expect(lanes.problems).toContain('a delivery could not be prepared');
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
