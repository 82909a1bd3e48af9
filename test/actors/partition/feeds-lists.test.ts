/**
 * Rings of lists, and of homes without members of exclusive lists, equal the result of merging, whatever people do.
 * Seeded; a failure prints its seed.
 */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { homeStatusIds, listStatusIds } from '../../../src/actors/account/home/home.queries.ts';
import { exclusiveMembers, listsOf, memberIdsOf } from '../../../src/actors/account/lists/lists.queries.ts';
import { repliesPolicies } from '../../../src/actors/account/lists/lists.records.ts';
import { statusEntriesOf } from '../../../src/actors/account/statuses/account-statuses.queries.ts';
import { atOnce } from '../../../src/operations/presentation/slice.ts';
import type { Envelope } from '../../../src/runtime/contract.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { SeededRandom } from '../../sim/random.ts';
import { fixedSeeds, testFreshSeeds } from '../../sim/seeds.ts';
import { follow, publish, reblog, remove, unfollow } from '../../support/acts.ts';
import { FeedOwners } from '../../support/feed-owners.ts';
import type { Person } from '../../support/observer.ts';
import { outcomeOf } from '../../support/outcome.ts';

const entries = 64;
const acts = 120;

class Story {
  readonly owners = new FeedOwners({ partitions: 2, rings: 8, entries });
  readonly random: SeededRandom;
  private owner!: Person;
  private others: Person[] = [];
  compared = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }

  async settleIn(): Promise<void> {
    const { people, server } = this.owners;
    this.owner = people.local('alice');
    this.others = ['bob', 'carol', 'dave', 'erin'].map((name) => people.local(name));
    for (const other of this.others.slice(0, 3)) await people.follow(this.owner, other);
    for (let count = 0; count < 2; count += 1)
      await server.call(
        Account.createList.to(this.owner.id, { title: 'A list', repliesPolicy: 'list', exclusive: false }),
      );
  }

  async act(): Promise<void> {
    const { random, owner } = this;
    const { server, people } = this.owners;
    server.clock.advance(1_000);
    const other = random.pick(this.others);
    const list = random.pick(listsOf(server.read, owner.id));
    const members = { listId: list.id, memberIds: [other.id] };
    const author = random.pick([owner, ...this.others]);
    const posts = Array.from(statusEntriesOf(server.read, author.id, { limit: 100 }), ({ id }) => ({ id, author }));
    const post = posts.length === 0 ? undefined : random.pick(posts);
    const wishes: (Envelope | undefined)[] = [
      publish(other),
      post && publish(other, { replyTo: post }, people.threadOf({ replyTo: post })),
      post && reblog(other, post),
      post && remove(post),
      Account.addToList.to(owner.id, members),
      Account.addToList.to(owner.id, members),
      Account.removeFromList.to(owner.id, members),
      Account.changeList.to(owner.id, { listId: list.id, exclusive: random.chance(0.5) }),
      Account.changeList.to(owner.id, { listId: list.id, repliesPolicy: random.pick(repliesPolicies) }),
      follow(owner, other, { reblogs: random.chance(0.5) }),
      random.chance(0.3) ? unfollow(owner, other) : follow(owner, other),
    ];
    const wish = random.pick(wishes);
    // Drawn without looking: a member may be in the list already, and a status gone.
    if (wish !== undefined)
      expect(['answered', 'notFound', 'validation']).toContain(await outcomeOf(server.call(wish)));
  }

  /** A ring that is there at this moment; others are warmed now and then. */
  compare(): void {
    const { owners, owner } = this;
    const feeds = [owner, ...listsOf(owners.server.read, owner.id).map(({ id }) => ({ ...owner, id }))];
    for (const feed of feeds) {
      const merge = feed === owner ? homeStatusIds : listStatusIds;
      const merged = () => atOnce(merge(owners.server.read, feed.id, { limit: 40 }));
      if (owners.ringOf(feed) === undefined && this.random.chance(0.5)) this.warm(feed, merged().reverse());
      const ring = owners.ringOf(feed);
      if (ring === undefined) continue;
      expect(ring.ids.slice(-40).reverse()).toEqual(merged());
      this.compared += ring.ids.length;
    }
  }

  state(): unknown {
    const { read } = this.owners.server;
    return [
      listsOf(read, this.owner.id).map(({ id }) => [...memberIdsOf(read, id)]),
      exclusiveMembers(read, this.owner.id),
    ];
  }

  private warm(feed: Person, ids: Id[]): void {
    const { generation } = this.owners.control(feed, { kind: 'open', accountId: feed.id });
    this.owners.control(feed, {
      kind: 'fill',
      accountId: feed.id,
      generation: generation!,
      ids,
      whole: ids.length < 40,
    });
  }
}

async function play(seed: number): Promise<{ compared: number; states: number }> {
  const story = new Story(seed);
  await story.settleIn();
  const states = new Set<string>();
  for (let act = 0; act < acts; act += 1) {
    await story.act();
    story.compare();
    states.add(JSON.stringify(story.state(), (_key, value) => (typeof value === 'bigint' ? `${value}` : value)));
  }
  expect(story.owners.server.problems).toEqual([]);
  return { compared: story.compared, states: states.size };
}

test.each(fixedSeeds(6))('story %i', async (seed) => {
  const { compared, states } = await play(seed);
  expect(compared).toBeGreaterThan(200);
  expect(states).toBeGreaterThan(5);
});

testFreshSeeds('rings of lists', play, { seconds: 60 });
