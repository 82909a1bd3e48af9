/**
 * Whatever people do, and whenever rings are opened, filled and evicted meanwhile: a ring that is ready holds what
 * merging gives, and events name exactly the listening accounts whose home they concern. Seeded; a failure prints its
 * seed.
 */
import { expect, test } from 'vitest';
import { homeFactsBelong } from '../../../src/actors/account/home/home.queries.ts';
import { findStatusRecord } from '../../../src/actors/account/remote/federation.queries.ts';
import { statusEntriesOf } from '../../../src/actors/account/statuses/account-statuses.queries.ts';
import { factsOf } from '../../../src/actors/account/statuses/status-facts.ts';
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
import type { Envelope } from '../../../src/runtime/contract.ts';
import { isEvent } from '../../../src/runtime/events/event.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { SeededRandom } from '../../sim/random.ts';
import { fixedSeeds, testFreshSeeds } from '../../sim/seeds.ts';
import {
  block,
  edit,
  follow,
  importPost,
  type Post,
  type PostOptions,
  publish,
  reblog,
  receive,
  receiveReblog,
  remove,
  unblock,
  unfollow,
  unreblog,
} from '../../support/acts.ts';
import { expectEqual } from '../../support/equal.ts';
import { FeedOwners } from '../../support/feed-owners.ts';
import { mergedHome } from '../../support/merged-home.ts';
import type { Person } from '../../support/observer.ts';
import type { People } from '../../support/people.ts';

const seeds = fixedSeeds(15, 40);
const rounds = 8;
const actsPerRound = 9;
const visibilities = ['public', 'unlisted', 'private', 'direct', 'direct'] as const;
const languages = ['en', 'de', undefined] as const;
const gateways = 2;
const hour = 3_600_000;
const everything = 10_000;

class Story {
  readonly owners: FeedOwners;
  readonly people: People;
  readonly random: SeededRandom;
  readonly locals: readonly Person[];
  readonly remotes: readonly Person[];
  readonly everybody: readonly Person[];
  /** `gateway account` for each account that listens there. */
  readonly listening = new Set<string>();
  private uris = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    const { random } = this;
    const partitions = random.between(2, 3);
    const [rings, entries, ringsPerSlice] = [random.between(1, 4), random.between(3, 12), random.between(1, 3)];
    this.owners = new FeedOwners({ partitions, rings, entries, ringsPerSlice });
    const { people, server } = this.owners;
    this.people = people;
    const somewhere = () => ({ partition: random.below(partitions) });
    this.locals = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'].map((name) => people.local(name, somewhere()));
    this.remotes = ['rita', 'sven'].map((name) => people.remote(name, 'there.test', somewhere()));
    this.everybody = [...this.locals, ...this.remotes];
    for (const follower of this.locals)
      for (const target of this.everybody)
        if (target !== follower && random.chance(0.4)) server.send(follow(follower, target));
    server.settle();
  }

  posts(): Status[] {
    const { read } = this.owners.server;
    const entries = this.everybody.flatMap(({ id }) => [...statusEntriesOf(read, id, { limit: everything })]);
    return entries.map(({ id }) => findStatusRecord(read, id)!);
  }

  person(id: Id): Person {
    return this.everybody.find((one) => one.id === id)!;
  }

  /** Some message, from whatever is there at the moment. */
  act(posts: readonly Status[]): Envelope | undefined {
    const { random } = this;
    const one = random.pick(this.locals);
    const other = random.pick(this.everybody.filter((candidate) => candidate !== one));
    const status = posts.length === 0 ? undefined : random.pick(posts);
    const kind = random.below(13);
    if (kind <= 1) return this.publishing(one, status);
    if (kind === 12) return this.importing(one, status);
    if (kind === 2) return this.receiving(random.pick(this.remotes), status);
    if (kind === 3) return follow(one, other, this.choice());
    if (kind === 4) return unfollow(one, other);
    if (kind === 5) return random.chance(0.5) ? follow(one, other) : random.pick([block, unblock])(one, other);
    if (status === undefined) return undefined;
    const post = this.postOf(status);
    const original = status.reblogOfId === undefined ? post : this.originalOf(status);
    if (kind === 6) return reblog(one, original);
    if (kind === 7) return receiveReblog(random.pick(this.remotes), original, this.uri(), this.sometimeAgo());
    if (kind === 8) return this.editing(post);
    if (kind <= 10) return original === post ? remove(post) : unreblog(post.author, original);
    return this.publishing(post.author.destination === undefined ? post.author : one, status);
  }

  /** Something about the rings, or a few pieces of what is under way. */
  meddle(): void {
    const { owners, random } = this;
    const kind = random.below(9);
    const filling = owners.fillings.length === 0 ? undefined : random.pick(owners.fillings);
    if (kind <= 1) owners.open(random.pick(this.locals));
    else if (kind <= 4 && filling !== undefined) owners.carryOn(filling);
    else if (kind === 5) this.changeListeners();
    else if (kind === 6) owners.hear(random.below(owners.server.partitions.length));
    else for (let count = random.below(12); count > 0; count -= 1) owners.server.step();
  }

  /** A stream begins or ends at one of the gateways, or a gateway is replaced. */
  private changeListeners(): void {
    const { owners, random } = this;
    const gateway = random.between(1, gateways);
    if (random.chance(0.1)) {
      for (const partition of owners.server.partitions) partition.callerReplaced(gateway);
      for (const { id } of this.locals) this.listening.delete(`${gateway} ${id}`);
      return;
    }
    const person = random.pick(this.locals);
    const listening = random.chance(0.6);
    owners.control(person, { kind: 'listen', accountId: person.id, listening }, gateway);
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
    return this.listens(person) && this.owners.hasRing(person);
  }

  private expectListenersHaveRings(): void {
    for (let partition = 0; partition < this.owners.server.partitions.length; partition += 1) {
      const listeners = this.locals.filter(
        (person) => this.owners.partitionOf(person) === partition && this.listens(person),
      );
      const served = listeners.filter((person) => this.owners.hasRing(person));
      expectEqual(served.length, Math.min(listeners.length, this.owners.rings), 'listeners with a ring');
    }
  }

  expectRingsAreHomes(): void {
    const { server } = this.owners;
    this.expectListenersHaveRings();
    for (const person of this.locals) {
      const ring = this.owners.ringOf(person);
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
    const { owners } = this;
    const before = new Map(this.posts().map((post) => [post.id, this.concernedBy(factsOf(post))]));
    owners.named = [];
    owners.server.send(envelope);
    owners.server.settle();
    const named = new Map<string, Id[]>();
    const expected = new Map<string, Id[]>();
    for (const { partition, event, accounts } of owners.named) {
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
      for (const account of accounts) expectEqual(owners.partitionOf(this.person(account)), partition, name);
    }
    for (const [name, accounts] of expected) expectEqual(sorted(named.get(name)!), sorted(accounts), name);
  }

  private concernedBy(facts: StatusFacts): Id[] {
    const { read } = this.owners.server;
    return this.locals.flatMap((one) =>
      this.isListening(one) && homeFactsBelong(read, one.id, facts) ? [one.id] : [],
    );
  }

  private postOf({ id, accountId }: Status): Post {
    return { id, author: this.person(accountId) };
  }

  private originalOf({ reblogOfId, reblogOfAccountId }: Status): Post {
    return { id: reblogOfId!, author: this.person(reblogOfAccountId!) };
  }

  private publishing(author: Person, status: Status | undefined): Envelope {
    const written = this.written(status);
    return publish(author, written, this.people.threadOf(written));
  }

  private receiving(author: Person, status: Status | undefined): Envelope {
    const written = this.written(status);
    const threadId = this.people.threadOf(written);
    const answersUnknown = written.replyTo === undefined && this.random.chance(0.2) ? true : undefined;
    const given = { ...written, uri: this.uri(), publishedAt: this.sometimeAgo(), threadId, answersUnknown };
    return receive(author, given, this.owners.server.clock.now());
  }

  private importing(author: Person, status: Status | undefined): Envelope {
    const written = this.written(status);
    const threadId = this.people.threadOf(written);
    return importPost(author, { ...written, uri: this.uri(), publishedAt: this.sometimeAgo(), threadId });
  }

  private editing(post: Post): Envelope {
    const { random } = this;
    const text = `edited ${random.below(100)}`;
    return edit(post, { text, language: random.pick(languages), mentions: this.mentions() });
  }

  private mentions(): Person[] {
    return this.everybody.filter(() => this.random.chance(0.3));
  }

  private written(status: Status | undefined): PostOptions {
    const { random } = this;
    return {
      visibility: random.pick(visibilities),
      language: random.pick(languages),
      replyTo: status !== undefined && random.chance(0.4) ? this.postOf(status) : undefined,
      mentions: this.mentions(),
    };
  }

  private choice() {
    const { random } = this;
    const chosen = random.pick([[], ['en'], ['de', 'fr']]);
    return {
      ...(random.chance(0.5) ? { reblogs: random.chance(0.5) } : {}),
      ...(random.chance(0.5) ? { languages: chosen } : {}),
    };
  }

  private sometimeAgo(): number {
    return this.owners.server.clock.now() - this.random.below(hour);
  }

  private uri(): string {
    this.uris += 1;
    return `https://there.test/activities/${this.uris}`;
  }
}

function sorted(ids: readonly Id[]): Id[] {
  return [...ids].sort((one, other) => (one < other ? -1 : 1));
}

function play(seed: number): { ready: number; named: number } {
  const story = new Story(seed);
  const { owners, random } = story;
  let ready = 0;
  let named = 0;
  for (let round = 0; round < rounds; round += 1) {
    const posts = story.posts();
    for (let act = 0; act < actsPerRound; act += 1) {
      const envelope = story.act(posts);
      if (envelope !== undefined) owners.server.send(envelope);
      story.meddle();
      story.meddle();
    }
    owners.server.settle();
    story.expectRingsAreHomes();
    while (owners.fillings.length > 0 && random.chance(0.8)) owners.carryOn(owners.fillings[0]!);
    story.expectRingsAreHomes();
    if (random.chance(0.1)) owners.reopen(random.below(owners.server.partitions.length));
    const envelope = story.act(story.posts());
    if (envelope !== undefined) story.expectAudience(envelope);
    story.expectRingsAreHomes();
    ready += story.locals.filter((person) => (owners.ringOf(person)?.ids.length ?? 0) > 0).length;
    named += owners.named.filter(({ accounts }) => accounts.length > 0).length;
    owners.server.clock.advance(random.below(3) * random.below(hour));
  }
  owners.people.expectSound();
  expect(owners.server.problems).toEqual([]);
  return { ready, named };
}

test(`rings equal homes, and events name who is concerned, in ${seeds.length} stories`, () => {
  let ready = 0;
  let named = 0;
  for (const seed of seeds) {
    try {
      const played = play(seed);
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

testFreshSeeds('rings and homes', play, { seconds: 90 });
