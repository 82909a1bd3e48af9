/**
 * The views of a partition can be run by whoever follows its log: they know nothing but a copy of the state and the
 * records after it. A follower that takes these in pieces, at any time, has the homes that the owner has.
 */
import { expect, test } from 'vitest';
import { allocateRings, RingReader } from '../../../src/actors/partition/feed-rings.queries.ts';
import type { FeedAnswer } from '../../../src/actors/partition/feeds.messages.ts';
import { FeedsView } from '../../../src/actors/partition/feeds.view.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { SeededRandom } from '../../sim/random.ts';
import { Follower } from '../../support/follower.ts';
import { MemoryLog, MemoryStore } from '../../support/memory-log.ts';
import { mergedHome } from '../../support/merged-home.ts';
import type { Person } from '../../support/observer.ts';
import { FeedTown } from './feed-town.ts';

const rings = 8;
const entries = 6;
const slots = [10, 400, 700, 1_000];

/** A follower of one partition, with homes of its own. */
function followerOf(town: FeedTown, partition: number, disk: MemoryStore) {
  const memory = allocateRings(rings, entries);
  const view = new FeedsView(memory, { now: () => town.server.clock.now(), defer: (callback) => callback() });
  return { follower: new Follower(partition, disk.copy(), view), homes: new RingReader(memory) };
}

test.each([1, 2, 3, 4])('homes and recipients are those of the owner (seed %d)', async (seed) => {
  const random = new SeededRandom(seed);
  const disks = [new MemoryStore(), new MemoryStore()];
  for (const disk of disks) disk.keepRecords();
  const town = new FeedTown({ partitions: disks.length, disks, rings, entries });
  const people: Person[] = [];
  for (const [index, slot] of slots.entries()) people.push(await town.local(`person${index}`, slot));
  const followers = disks.map((disk, partition) => followerOf(town, partition, disk));
  const catchUp = async () => {
    for (const [partition, { follower }] of followers.entries()) await follower.follow(new MemoryLog(disks[partition]));
  };
  /** A change of what belongs into a home has emptied its ring, here and there. */
  const warm = async (person: Person) => {
    await catchUp();
    const ids = mergedHome(town.server.read, person.id, { limit: entries }).reverse();
    const { view } = followers[town.partitionOf(person)]!.follower;
    const { generation } = view.control({ kind: 'open', accountId: person.id }, 0) as FeedAnswer;
    town.warm(person);
    view.control({ kind: 'fill', accountId: person.id, generation, ids, whole: ids.length < entries }, 0);
  };
  for (const person of people) {
    const request = { kind: 'listen', accountId: person.id, listening: true } as const;
    town.control(person, request);
    followers[town.partitionOf(person)]!.follower.view.control(request, 0);
    for (const other of people) if (other !== person) town.server.send(town.follow(person, other));
    town.server.settle();
    await warm(person);
  }
  town.named = [];
  for (const { follower } of followers) follower.named.length = 0;
  const posts: { author: Person; id: Id }[] = [];
  for (let step = 0; step < 60; step += 1) {
    const [one, other] = [random.pick(people), random.pick(people)];
    const post = posts.length > 0 ? random.pick(posts) : undefined;
    const what = random.pick(['publish', 'publish', 'publish', 'follow', 'reblog', 'remove']);
    if (what === 'follow' && one !== other) {
      town.server.send(random.chance(0.5) ? town.follow(one, other) : town.unfollow(one, other));
      town.server.settle();
      await warm(one);
    } else if (what === 'publish' || post === undefined)
      posts.push({ author: one, id: (await town.server.call(town.publish(one))).statusId });
    else if (what === 'reblog') town.server.send(town.reblog(one, post.id, post.author));
    else if (what === 'remove') {
      posts.splice(posts.indexOf(post), 1);
      town.server.send(town.remove(post.author, post.id));
    }
    town.server.settle();
    for (const [partition, { follower }] of followers.entries())
      if (random.chance(0.3)) await follower.follow(new MemoryLog(disks[partition]));
  }
  await catchUp();

  const homes = (read: (person: Person) => { ids: Iterable<Id> } | undefined) =>
    people.map((person) => [...(read(person)?.ids ?? [])]);
  const followed = homes((person) =>
    followers[town.partitionOf(person)]!.homes.read(person.id, Math.floor(town.server.clock.now() / 1_000)),
  );
  expect(followed).toEqual(homes((person) => town.ringOf(person)));
  expect(followed.flat().length).toBeGreaterThan(entries);
  const namedIn = (partition: number) =>
    town.named.filter((named) => named.partition === partition).flatMap(({ accounts }) => accounts);
  for (const [partition, { follower }] of followers.entries())
    expect(follower.named.flat().flatMap(({ ids }) => ids)).toEqual(namedIn(partition));
});
