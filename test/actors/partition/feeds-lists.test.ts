/**
 * Rings of lists, and of homes that leave out exclusive lists, against what merging gives: whatever people do, both are the
 * same. Seeded.
 */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { homeStatusIds, listStatusIds } from '../../../src/actors/account/home/home.queries.ts';
import { exclusiveMembers, listsOf, memberIdsOf } from '../../../src/actors/account/lists/lists.queries.ts';
import { repliesPolicies } from '../../../src/actors/account/lists/lists.records.ts';
import { statusEntriesOf } from '../../../src/actors/account/statuses/account-statuses.queries.ts';
import type { Envelope } from '../../../src/runtime/contract.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { SeededRandom } from '../../sim/random.ts';
import { atOnce } from '../../support/merged-home.ts';
import type { Person } from '../../support/observer.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { FeedTown } from './feed-town.ts';

const entries = 64;
const acts = 120;

class Story {
  readonly town = new FeedTown({ partitions: 2, rings: 8, entries });
  readonly random: SeededRandom;
  private owner!: Person;
  private others: Person[] = [];
  compared = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }

  async settleIn(): Promise<void> {
    this.owner = await this.town.local('alice', 100);
    for (const [index, name] of ['bob', 'carol', 'dave', 'erin'].entries())
      this.others.push(await this.town.local(name, index * 250));
    for (const other of this.others.slice(0, 3)) await this.town.server.call(this.town.follow(this.owner, other));
    for (let count = 0; count < 2; count += 1)
      await this.town.server.call(
        Account.createList.to(this.owner.id, { title: 'A list', repliesPolicy: 'list', exclusive: false }),
      );
  }

  async act(): Promise<void> {
    const { town, random, owner } = this;
    town.server.clock.advance(1_000);
    const other = random.pick(this.others);
    const list = random.pick(listsOf(town.server.read, owner.id));
    const members = { listId: list.id, memberIds: [other.id] };
    const writer = random.pick(town.people).id;
    const ids = Array.from(
      statusEntriesOf(town.server.read, writer, { limit: 100 }),
      ({ id }) => [writer, id] as const,
    );
    const post = ids.length === 0 ? undefined : random.pick(ids);
    const wishes: (Envelope | undefined)[] = [
      town.publish(other),
      post && town.publish(other, { replyTo: { id: post[1], accountId: post[0] } }),
      post && town.reblog(other, post[1], town.people.find(({ id }) => id === post[0])!),
      post && town.remove(town.people.find(({ id }) => id === post[0])!, post[1]),
      Account.addToList.to(owner.id, members),
      Account.addToList.to(owner.id, members),
      Account.removeFromList.to(owner.id, members),
      Account.changeList.to(owner.id, { listId: list.id, exclusive: random.chance(0.5) }),
      Account.changeList.to(owner.id, { listId: list.id, repliesPolicy: random.pick(repliesPolicies) }),
      town.follow(owner, other, { showReblogs: random.chance(0.5) }),
      random.chance(0.3) ? town.unfollow(owner, other) : town.follow(owner, other),
    ];
    const wish = random.pick(wishes);
    // Drawn without looking: a member may be in the list already, and a status gone.
    if (wish !== undefined)
      expect(['answered', 'notFound', 'validation']).toContain(await outcomeOf(town.server.call(wish)));
  }

  /** A ring that is there at this moment; others are warmed now and then. */
  compare(): void {
    const { town, owner } = this;
    const feeds = [owner, ...listsOf(town.server.read, owner.id).map(({ id }) => ({ ...owner, id }))];
    for (const feed of feeds) {
      const merge = feed === owner ? homeStatusIds : listStatusIds;
      const merged = () => atOnce(merge(town.server.read, feed.id, { limit: 40 }));
      if (town.ringOf(feed) === undefined && this.random.chance(0.5)) this.warm(feed, merged().reverse());
      const ring = town.ringOf(feed);
      if (ring === undefined) continue;
      expect(ring.ids.slice(-40).reverse()).toEqual(merged());
      this.compared += ring.ids.length;
    }
  }

  state(): unknown {
    const { read } = this.town.server;
    return [
      listsOf(read, this.owner.id).map(({ id }) => [...memberIdsOf(read, id)]),
      exclusiveMembers(read, this.owner.id),
    ];
  }

  private warm(feed: Person, ids: Id[]): void {
    const { generation } = this.town.control(feed, { kind: 'open', accountId: feed.id });
    this.town.control(feed, { kind: 'fill', accountId: feed.id, generation: generation!, ids, whole: ids.length < 40 });
  }
}

test.each([1, 2, 3, 4, 5, 6])('story %i', async (seed) => {
  const story = new Story(seed);
  await story.settleIn();
  const states = new Set<string>();
  for (let act = 0; act < acts; act += 1) {
    await story.act();
    story.compare();
    states.add(JSON.stringify(story.state(), (_key, value) => (typeof value === 'bigint' ? `${value}` : value)));
  }
  expect(story.town.server.problems).toEqual([]);
  expect(story.compared).toBeGreaterThan(200);
  expect(states.size).toBeGreaterThan(5);
});
