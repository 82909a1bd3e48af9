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
import { fixedSeeds, testFreshSeeds } from '../../sim/seeds.ts';
import { follow, type Post, reblog, remove, unfollow } from '../../support/acts.ts';
import { FeedOwners } from '../../support/feed-owners.ts';
import { Follower } from '../../support/follower.ts';
import { MemoryLog, MemoryStore } from '../../support/memory-log.ts';
import { mergedHome } from '../../support/merged-home.ts';
import type { Person } from '../../support/observer.ts';

const rings = 8;
const entries = 6;

/** A follower of one partition, with homes of its own. */
function followerOf(owners: FeedOwners, partition: number, disk: MemoryStore) {
  const memory = allocateRings(rings, entries);
  const view = new FeedsView(memory, {
    monotonic: () => owners.server.clock.monotonic(),
    defer: (callback) => callback(),
  });
  return { follower: new Follower(partition, disk.copy(), view), homes: new RingReader(memory) };
}

async function play(seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const disks = [new MemoryStore(), new MemoryStore()];
  for (const disk of disks) disk.keepRecords();
  const owners = new FeedOwners({ partitions: disks.length, disks, rings, entries });
  const { people } = owners;
  const everybody = ['alice', 'bob', 'carol', 'dave'].map((name) => people.local(name));
  const followers = disks.map((disk, partition) => followerOf(owners, partition, disk));
  const catchUp = async () => {
    for (const [partition, { follower }] of followers.entries()) await follower.follow(new MemoryLog(disks[partition]));
  };
  /** A change of what belongs into a home has emptied its ring, here and there. */
  const warm = async (person: Person) => {
    await catchUp();
    const ids = mergedHome(owners.server.read, person.id, { limit: entries }).reverse();
    const { view } = followers[owners.partitionOf(person)]!.follower;
    const { generation } = view.control({ kind: 'open', accountId: person.id }, 0) as FeedAnswer;
    owners.warm(person);
    view.control({ kind: 'fill', accountId: person.id, generation, ids, whole: ids.length < entries }, 0);
  };
  for (const person of everybody) {
    const request = { kind: 'listen', accountId: person.id, listening: true } as const;
    owners.control(person, request);
    followers[owners.partitionOf(person)]!.follower.view.control(request, 0);
    for (const other of everybody) if (other !== person) owners.server.send(follow(person, other));
    owners.server.settle();
    await warm(person);
  }
  owners.named = [];
  for (const { follower } of followers) follower.named.length = 0;
  const posts: Post[] = [];
  for (let step = 0; step < 60; step += 1) {
    const [one, other] = [random.pick(everybody), random.pick(everybody)];
    const post = posts.length > 0 ? random.pick(posts) : undefined;
    const what = random.pick(['publish', 'publish', 'publish', 'follow', 'reblog', 'remove']);
    if (what === 'follow' && one !== other) {
      owners.server.send(random.chance(0.5) ? follow(one, other) : unfollow(one, other));
      owners.server.settle();
      await warm(one);
    } else if (what === 'publish' || post === undefined) posts.push(await people.publish(one));
    else if (what === 'reblog') owners.server.send(reblog(one, post));
    else if (what === 'remove') {
      posts.splice(posts.indexOf(post), 1);
      owners.server.send(remove(post));
    }
    owners.server.settle();
    for (const [partition, { follower }] of followers.entries())
      if (random.chance(0.3)) await follower.follow(new MemoryLog(disks[partition]));
  }
  await catchUp();

  const homes = (read: (person: Person) => { ids: Iterable<Id> } | undefined) =>
    everybody.map((person) => [...(read(person)?.ids ?? [])]);
  const followed = homes((person) =>
    followers[owners.partitionOf(person)]!.homes.read(person.id, Math.floor(owners.server.clock.now() / 1_000)),
  );
  expect(followed).toEqual(homes((person) => owners.ringOf(person)));
  expect(followed.flat().length).toBeGreaterThan(entries);
  const namedIn = (partition: number) =>
    owners.named.filter((named) => named.partition === partition).flatMap(({ accounts }) => accounts);
  for (const [partition, { follower }] of followers.entries())
    expect(follower.named.flat().flatMap(({ ids }) => ids)).toEqual(namedIn(partition));
}

test.each(fixedSeeds(4))('homes and recipients are those of the owner (seed %d)', play);

testFreshSeeds('homes of a follower', play, { seconds: 30 });
