/** Ids that another server gives to more than one thing: the first keeps it. */

import { describe, expect, it } from 'vitest';
import { findStatus } from '../../src/actors/account/status-views.queries.ts';
import { statusByUri } from '../../src/actors/account/statuses/statuses.state.ts';
import { slotOfId } from '../../src/runtime/ids.ts';
import { until } from '../support/until.ts';
import { home, publicAudience, type RemotePerson } from './inbound-bed.ts';
import { soundBed } from './sound-bed.ts';

const boosted = { to: [publicAudience], cc: [], published: '2025-01-01T11:30:00Z' };

async function twoPosts() {
  const bed = soundBed();
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  await bed.follow(alice, bob);
  const statusIds = [await bed.publish(alice, 'One'), await bed.publish(alice, 'Two')] as const;
  const uris = statusIds.map((statusId) => `${home}/users/alice/statuses/${statusId}`);
  const boosts = () => statusIds.map((statusId) => findStatus(bed.read, statusId)?.counters.reblogs);
  return { bed, alice, bob, uris, boosts };
}

describe('a boost', () => {
  it('of several posts under one id is a boost of the first', async () => {
    const { bed, bob, uris, boosts } = await twoPosts();
    const announce = bob.activity('Announce', uris, boosted);
    expect(await bed.send(bob, announce)).toBe(202);
    expect(boosts()).toEqual([1, 0]);
    await bed.send(bob, bob.activity('Undo', announce.id));
    expect(boosts()).toEqual([0, 0]);
  });

  it.each<[string, 'bob' | 'carol']>([
    ['its own author', 'bob'],
    ['a neighbour', 'carol'],
  ])('under the id of a post of %s is none', async (_whose, who) => {
    const { bed, alice, bob, uris, boosts } = await twoPosts();
    const author = who === 'bob' ? bob : bed.person('remote.example', 'carol');
    if (who === 'carol') await bed.follow(alice, author);
    const note = author.note('post');
    await bed.send(author, author.create(note));
    await bed.send(bob, { ...bob.activity('Announce', uris[0], boosted), id: note.id });
    expect(boosts()).toEqual([0, 0]);
    expect(bed.stored(note.id)).toMatchObject({ content: '<p>post</p>', reblogOfId: undefined });
  });

  it('cannot be edited into a post', async () => {
    const { bed, bob, uris, boosts } = await twoPosts();
    const announce = bob.activity('Announce', uris[0], boosted);
    await bed.send(bob, announce);
    const edited = bob.note('x', { id: announce.id, updated: '2025-01-01T11:45:00Z' });
    expect(await bed.send(bob, bob.activity('Update', edited))).toBe(202);
    expect(bed.stored(announce.id)).toMatchObject({ content: '', reblogOfId: expect.any(BigInt) });
    expect(boosts()).toEqual([1, 0]);
  });
});

// Their accounts are in the first partition and in the second.
it.each<[string, string, boolean]>([
  ['a post', 'carol', false],
  ['a post', 'mallory', false],
  ['a boost', 'carol', true],
  ['a boost', 'mallory', true],
])('the id of a post is not that of %s of %s, in whatever partition', async (_what, name, isBoost) => {
  const { bed, alice, bob, uris } = await twoPosts();
  const neighbour = bed.person('remote.example', name);
  const bobId = await bed.know(bob);
  await bed.follow(alice, neighbour);
  const note = bob.note('post');
  await bed.send(bob, bob.create(note));
  const forged = isBoost
    ? { ...neighbour.activity('Announce', uris[0], boosted), id: note.id }
    : neighbour.create(neighbour.note('forged', { id: note.id }));
  expect(await bed.send(neighbour, forged)).toBe(202);
  const found = bed.read.partitions.flatMap((partition) => partition.get(statusByUri, [note.id as string]) ?? []);
  expect(found).toEqual([{ id: bed.stored(note.id)?.id }]);
  expect(bed.stored(note.id)?.accountId).toBe(bobId);
});

// Neither gateway finds the id taken: what both store is there for a moment.
it.each<[string, boolean]>([
  ['two posts', false],
  ['a post and a boost', true],
])('of %s of two partitions under one id at the same moment one stays', async (_what, isBoost) => {
  const { bed, alice, bob, uris, boosts } = await twoPosts();
  const mallory = bed.person('remote.example', 'mallory');
  const [bobId, malloryId] = [await bed.know(bob), await bed.know(mallory)];
  await bed.follow(alice, mallory);
  const partitionOf = (id: bigint) => bed.read.placement.partitionOf(slotOfId(id));
  expect(partitionOf(bobId)).not.toBe(partitionOf(malloryId));
  const note = bob.note('post');
  const other = isBoost
    ? { ...mallory.activity('Announce', uris[0], boosted), id: note.id }
    : mallory.create(mallory.note('other', { id: note.id }));
  const { promise, resolve: goOn } = Promise.withResolvers<undefined>();
  const callsBefore = bed.calls;
  bed.holdCalls = promise;
  const sent = [bed.send(bob, bob.create(note)), bed.send(mallory, other, { thread: bed.anotherThread() })];
  await until(() => bed.calls === callsBefore + sent.length);
  goOn(undefined);
  expect(await Promise.all(sent)).toEqual([202, 202]);
  const found = bed.read.partitions.flatMap((partition) => partition.get(statusByUri, [note.id as string]) ?? []);
  expect(found).toHaveLength(1);
  const first = partitionOf(bobId) < partitionOf(malloryId) ? bobId : malloryId;
  expect(bed.stored(note.id)?.accountId).toBe(first);
  expect(boosts()[0]).toBe(isBoost && first === malloryId ? 1 : 0);
});

it.each<[string, (neighbour: RemotePerson, uri: unknown) => object]>([
  ['a Delete', (neighbour, uri) => neighbour.activity('Delete', uri)],
  ['an Undo', (neighbour, uri) => neighbour.activity('Undo', uri)],
])('%s by a neighbour in the partition of a post changes nothing', async (_what, activityOf) => {
  const { bed, alice, bob } = await twoPosts();
  const note = bob.note('post');
  await bed.send(bob, bob.create(note));
  const partitionOf = (id: bigint) => bed.read.placement.partitionOf(slotOfId(id));
  const neighbour = bed.person('remote.example', 'carol');
  expect(partitionOf(await bed.follow(alice, neighbour))).toBe(partitionOf(await bed.know(bob)));
  expect(await bed.send(neighbour, activityOf(neighbour, note.id))).toBe(202);
  expect(bed.stored(note.id)).toMatchObject({ content: '<p>post</p>' });
});

it('an edit under the id that a neighbour in the partition publishes at the same moment changes nothing', async () => {
  const { bed, alice, bob } = await twoPosts();
  const carol = bed.person('remote.example', 'carol');
  await bed.follow(alice, carol);
  const note = bob.note('post');
  const edited = carol.note('other', { id: note.id, updated: '2025-01-01T11:45:00Z' });
  const { promise, resolve: goOn } = Promise.withResolvers<undefined>();
  const callsBefore = bed.calls;
  bed.holdCalls = promise;
  const sent = [bed.send(bob, bob.create(note)), bed.send(carol, carol.activity('Update', edited))];
  await until(() => bed.calls === callsBefore + sent.length);
  goOn(undefined);
  expect(await Promise.all(sent)).toEqual([202, 202]);
  expect(bed.stored(note.id)).toMatchObject({ content: '<p>post</p>', editedAt: undefined });
});
