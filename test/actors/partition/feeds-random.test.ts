/**
 * Whatever people do, and whenever rings are opened, filled and evicted meanwhile: a ring that is ready holds what
 * merging gives, and events name exactly the listening accounts whose home they concern. Seeded; a failure prints its
 * seed.
 */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { homeFactsBelong } from '../../../src/actors/account/home/home.queries.ts';
import { findStatusRecord } from '../../../src/actors/account/remote/federation.queries.ts';
import { statusEntriesOf } from '../../../src/actors/account/statuses/account-statuses.queries.ts';
import {
  type StatusFacts,
  statusArrived,
  statusDeleted,
  statusEdited,
  statusGone,
  statusPublished,
  statusRevised,
} from '../../../src/actors/account/statuses/statuses.events.ts';
import type { Status } from '../../../src/actors/account/statuses/statuses.records.ts';
import { factsOf } from '../../../src/actors/account/statuses/store-status.ts';
import type { Envelope } from '../../../src/runtime/contract.ts';
import { isEvent } from '../../../src/runtime/events/event.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { SeededRandom } from '../../sim/random.ts';
import { expectEqual } from '../../support/equal.ts';
import { mergedHome } from '../../support/merged-home.ts';
import type { Person } from '../../support/observer.ts';
import { FeedTown, type Writing } from './feed-town.ts';

const seeds = Array.from({ length: process.env.MURMURATION_LONG_TESTS === '1' ? 2_000 : 40 }, (_, index) => index + 1);
const rounds = 8;
const actsPerRound = 9;
const visibilities = ['public', 'unlisted', 'private', 'direct', 'direct'] as const;
const languages = ['en', 'de', undefined] as const;
const gateways = 2;
const hour = 3_600_000;
const everything = 10_000;

class Story {
  readonly town: FeedTown;
  readonly random: SeededRandom;
  locals: Person[] = [];
  remotes: Person[] = [];
  /** `gateway account` for each account that listens there. */
  readonly listening = new Set<string>();
  private uris = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    this.town = new FeedTown({
      partitions: this.random.between(2, 3),
      rings: this.random.between(1, 4),
      entries: this.random.between(3, 12),
      ringsPerSlice: this.random.between(1, 3),
    });
  }

  async settleIn(): Promise<void> {
    const { town, random } = this;
    for (const name of ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'])
      this.locals.push(await town.local(name, random.below(1024)));
    for (const name of ['rita', 'sven']) this.remotes.push(await town.remote(name, random.below(1024)));
    for (const follower of this.locals)
      for (const target of town.people)
        if (target !== follower && random.chance(0.4)) town.server.send(town.follow(follower, target));
    town.server.settle();
  }

  posts(): Status[] {
    const { read } = this.town.server;
    const entries = this.town.people.flatMap(({ id }) => [...statusEntriesOf(read, id, { limit: everything })]);
    return entries.map(({ id }) => findStatusRecord(read, id)!);
  }

  person(id: Id): Person {
    return this.town.people.find((one) => one.id === id)!;
  }

  /** Some message, from whatever is there at the moment. */
  act(posts: readonly Status[]): Envelope | undefined {
    const { town, random } = this;
    const one = random.pick(this.locals);
    const other = random.pick(town.people.filter((candidate) => candidate !== one));
    const post = posts.length === 0 ? undefined : random.pick(posts);
    const kind = random.below(12);
    if (kind <= 1) return town.publish(one, this.writing(post));
    if (kind === 2) return town.receive(random.pick(this.remotes), this.uri(), random.below(hour), this.writing(post));
    if (kind === 3) return town.follow(one, other, this.choice());
    if (kind === 4) return town.unfollow(one, other);
    if (kind === 5) return random.chance(0.5) ? town.follow(one, other) : this.blocking(one, other);
    if (post === undefined) return undefined;
    const author = this.person(post.accountId);
    if (kind === 6)
      return town.reblog(one, post.reblogOfId ?? post.id, this.person(post.reblogOfAccountId ?? author.id));
    if (kind === 7)
      return town.receiveReblog(random.pick(this.remotes), post.id, author, this.uri(), random.below(hour));
    if (kind === 8) return this.editing(author, post.id);
    if (kind === 9 && post.reblogOfId !== undefined)
      return town.unreblog(author, post.reblogOfId, this.person(post.reblogOfAccountId!));
    if (kind <= 10) return town.remove(author, post.id);
    return town.publish(author.destination === undefined ? author : one, this.writing(post));
  }

  /** Something about the rings, or a few pieces of what is under way. */
  meddle(): void {
    const { town, random } = this;
    const kind = random.below(8);
    const filling = town.fillings.length === 0 ? undefined : random.pick(town.fillings);
    if (kind <= 1) town.open(random.pick(this.locals));
    else if (kind <= 4 && filling !== undefined) town.carryOn(filling);
    else if (kind === 5) this.changeListeners();
    else for (let count = random.below(12); count > 0; count -= 1) town.server.step();
  }

  /** A stream begins or ends at one of the gateways, or a gateway is replaced. */
  private changeListeners(): void {
    const { town, random } = this;
    const gateway = random.between(1, gateways);
    if (random.chance(0.1)) {
      for (const partition of town.server.partitions) partition.callerReplaced(gateway);
      for (const { id } of this.locals) this.listening.delete(`${gateway} ${id}`);
      return;
    }
    const person = random.pick(this.locals);
    const listening = random.chance(0.6);
    town.control(person, { kind: 'listen', accountId: person.id, listening }, gateway);
    if (listening) this.listening.add(`${gateway} ${person.id}`);
    else this.listening.delete(`${gateway} ${person.id}`);
  }

  private listens(person: Person): boolean {
    return Array.from({ length: gateways }, (_, index) => `${index + 1} ${person.id}`).some((one) =>
      this.listening.has(one),
    );
  }

  /** With more listeners than rings, those without a ring hear nothing of homes. */
  private isListening(person: Person): boolean {
    return this.listens(person) && this.town.hasRing(person);
  }

  private expectListenersHaveRings(): void {
    for (let partition = 0; partition < this.town.server.partitions.length; partition += 1) {
      const listeners = this.locals.filter(
        (person) => this.town.partitionOf(person) === partition && this.listens(person),
      );
      const served = listeners.filter((person) => this.town.hasRing(person));
      expectEqual(served.length, Math.min(listeners.length, this.town.rings), 'listeners with a ring');
    }
  }

  expectRingsAreHomes(): void {
    const { server } = this.town;
    this.expectListenersHaveRings();
    for (const person of this.locals) {
      const ring = this.town.ringOf(person);
      if (ring === undefined) continue;
      const home = mergedHome(server.read, person.id, { limit: everything }).reverse();
      const oldest = ring.ids[0];
      const covered = ring.whole ? home : home.filter((id) => oldest !== undefined && id >= oldest);
      const held = ring.ids.filter((id) => findStatusRecord(server.read, id) !== undefined);
      expectEqual(held, covered, person.name);
    }
  }

  /** One message at rest: whom its events name is what belongs in whose home. */
  expectAudience(envelope: Envelope): void {
    const { town } = this;
    const before = new Map(this.posts().map((post) => [post.id, this.concernedBy(factsOf(post))]));
    town.named = [];
    town.server.send(envelope);
    town.server.settle();
    const named = new Map<string, Id[]>();
    const expected = new Map<string, Id[]>();
    for (const { partition, event, accounts } of town.named) {
      const told = [statusPublished, statusArrived, statusEdited, statusRevised, statusDeleted, statusGone].find(
        (type) => isEvent(event, type),
      );
      if (told === undefined) continue;
      const facts = event.body as StatusFacts;
      const what =
        told === statusDeleted || told === statusGone
          ? 'gone'
          : told === statusEdited || told === statusRevised
            ? 'edited'
            : 'new';
      const name = `${what} ${facts.id}`;
      named.set(name, [...(named.get(name) ?? []), ...accounts]);
      // What came and went again within the act was concerned by what holds now.
      expected.set(name, (what === 'gone' ? before.get(facts.id) : undefined) ?? this.concernedBy(facts));
      for (const account of accounts) expectEqual(town.partitionOf(this.person(account)), partition, name);
    }
    for (const [name, accounts] of expected) expectEqual(sorted(named.get(name)!), sorted(accounts), name);
  }

  private concernedBy(facts: StatusFacts): Id[] {
    const { read } = this.town.server;
    return this.locals.flatMap((one) =>
      this.isListening(one) && homeFactsBelong(read, one.id, facts) ? [one.id] : [],
    );
  }

  private editing(author: Person, statusId: Id): Envelope {
    const { random, town } = this;
    const changes = { language: random.pick(languages), mentions: this.mentions() };
    return town.edit(author, statusId, `edited ${random.below(100)}`, changes);
  }

  private mentions(): Person[] {
    return this.town.people.filter(() => this.random.chance(0.3));
  }

  private writing(post: Status | undefined): Writing {
    const { random } = this;
    const replies = post !== undefined && random.chance(0.4);
    return {
      visibility: random.pick(visibilities),
      language: random.pick(languages),
      replyTo: replies ? { id: post.id, accountId: post.accountId } : undefined,
      mentions: this.mentions(),
    };
  }

  private choice() {
    const { random } = this;
    const chosen = random.pick([[], ['en'], ['de', 'fr']]);
    return {
      ...(random.chance(0.5) ? { showReblogs: random.chance(0.5) } : {}),
      ...(random.chance(0.5) ? { languages: chosen } : {}),
    };
  }

  private blocking(one: Person, { id: targetId, destination: targetDestination }: Person): Envelope {
    return this.random.chance(0.5)
      ? Account.block.to(one.id, { targetId, targetDestination })
      : Account.unblock.to(one.id, { targetId, targetDestination });
  }

  private uri(): string {
    this.uris += 1;
    return `https://there.test/activities/${this.uris}`;
  }
}

function sorted(ids: readonly Id[]): Id[] {
  return [...ids].sort((one, other) => (one < other ? -1 : 1));
}

async function play(seed: number): Promise<{ ready: number; named: number }> {
  const story = new Story(seed);
  await story.settleIn();
  const { town, random } = story;
  let ready = 0;
  let named = 0;
  for (let round = 0; round < rounds; round += 1) {
    const posts = story.posts();
    for (let act = 0; act < actsPerRound; act += 1) {
      const envelope = story.act(posts);
      if (envelope !== undefined) town.server.send(envelope);
      story.meddle();
      story.meddle();
    }
    town.server.settle();
    story.expectRingsAreHomes();
    while (town.fillings.length > 0 && random.chance(0.8)) town.carryOn(town.fillings[0]!);
    story.expectRingsAreHomes();
    if (random.chance(0.1)) town.reopen(random.below(town.server.partitions.length));
    const envelope = story.act(story.posts());
    if (envelope !== undefined) story.expectAudience(envelope);
    story.expectRingsAreHomes();
    ready += story.locals.filter((person) => (town.ringOf(person)?.ids.length ?? 0) > 0).length;
    named += town.named.filter(({ accounts }) => accounts.length > 0).length;
    town.server.clock.advance(random.below(3) * random.below(hour));
  }
  expect(town.server.problems).toEqual([]);
  return { ready, named };
}

test(`rings equal homes, and events name who is concerned, in ${seeds.length} stories`, async () => {
  let ready = 0;
  let named = 0;
  for (const seed of seeds) {
    try {
      const played = await play(seed);
      ready += played.ready;
      named += played.named;
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  // The stories are about something.
  expect(ready).toBeGreaterThan(seeds.length * 2);
  expect(named).toBeGreaterThan(seeds.length / 4);
});
