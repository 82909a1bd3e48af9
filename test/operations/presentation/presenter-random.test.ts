/**
 * Encoded answers against plain entities, byte by byte: whatever happens, in whatever order the events of the partitions arrive and
 * whatever was read and kept meanwhile, once all have arrived every viewer sees what storage says. Seeded; a failure
 * prints its seed.
 */

import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { filtersOf } from '../../../src/actors/account/filters/filters.queries.ts';
import { findStatusRecord } from '../../../src/actors/account/remote/federation.queries.ts';
import { statusEntriesOf } from '../../../src/actors/account/statuses/account-statuses.queries.ts';
import type { Status } from '../../../src/actors/account/statuses/statuses.records.ts';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import { EncodedAnswers, type StatusPresenter } from '../../../src/gateway/entities/encoded-answers.ts';
import { entityEncoder } from '../../../src/gateway/entities/encoded-status.ts';
import { AnswerBlocks } from '../../../src/gateway/http/answer-blocks.ts';
import type { PresentationContext } from '../../../src/operations/presentation/contexts.ts';
import { Presenter } from '../../../src/operations/presentation/presenter.ts';
import type { Envelope } from '../../../src/runtime/contract.ts';
import type { EventBatch } from '../../../src/runtime/events/event.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { Addresses } from '../../../src/services/addresses.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import { SeededRandom } from '../../sim/random.ts';
import { fixedSeeds, testFreshSeeds } from '../../sim/seeds.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';
import * as acts from '../../support/acts.ts';
import { roomyCaches } from '../../support/caches.ts';
import { expectEqual } from '../../support/equal.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { plainStatus } from './plain-status.ts';

const rounds = 8;
const actsPerRound = 8;
const partitions = 3;
const all = { limit: 10_000 };
const contexts = ['home', 'public', 'thread', 'single'] as const;
const visibilities = ['public', 'public', 'public', 'unlisted', 'private', 'direct'] as const;

class Readers {
  readonly server: TestServer;
  readonly random: SeededRandom;
  readonly people: People;
  private readonly locals: readonly Person[];
  private readonly remotes: readonly Person[];
  private readonly everybody: readonly Person[];
  private readonly events = new EventHub();
  /** Per partition, what has not arrived yet. */
  private readonly underWay: EventBatch[][] = Array.from({ length: partitions }, () => []);
  private readonly presenter: StatusPresenter;
  private readonly answers: EncodedAnswers;
  private readonly addresses = new Addresses('https://here.example');
  /** Of every status there ever was. */
  private readonly ids = new Set<Id>([1n]);
  private uris = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    const server = createTestServer({ partitions, actors, keyspaces });
    server.watch((batch) => void this.underWay[batch.partition]!.push(batch));
    this.server = server;
    this.people = new People(server);
    const encoder = entityEncoder(this.addresses, () => false);
    const now = () => server.clock.now();
    this.presenter = new Presenter({
      snapshots: server.read,
      events: this.events,
      caches: roomyCaches(),
      now,
      encoder,
    });
    this.answers = new EncodedAnswers(this.presenter, new Addresses('https://here.example'), new AnswerBlocks());
    const somewhere = () => ({ partition: this.random.below(partitions) });
    this.locals = ['alice', 'bob', 'carol', 'dave'].map((name) => this.people.local(name, somewhere()));
    this.remotes = ['rita', 'sven'].map((name) => this.people.remote(name, 'there.test', somewhere()));
    this.everybody = [...this.locals, ...this.remotes];
  }

  posts(): Status[] {
    const { read } = this.server;
    const ids = this.everybody.flatMap(({ id }) => Array.from(statusEntriesOf(read, id, all), (entry) => entry.id));
    for (const id of ids) this.ids.add(id);
    return ids.map((id) => findStatusRecord(read, id)!);
  }

  act(posts: readonly Status[]): Envelope | undefined {
    const { random } = this;
    const one = random.pick(this.locals);
    const other = random.pick(this.everybody.filter((candidate) => candidate !== one));
    const status = posts.length === 0 ? undefined : random.pick(posts);
    if (random.chance(0.45)) return this.aboutPeople(one, other);
    return status === undefined ? acts.publish(one) : this.aboutStatuses(one, status);
  }

  private aboutPeople(one: Person, other: Person): Envelope {
    const { random } = this;
    switch (random.below(10)) {
      case 9:
        return this.filtered(one);
      case 0:
      case 1:
        return acts.follow(one, other);
      case 2:
        return acts.unfollow(one, other);
      case 3:
        return acts.block(one, other);
      case 4:
        return acts.unblock(one, other);
      case 5: {
        const durationSeconds = random.pick([0, 1, 60]);
        return Account.mute.to(one.id, { targetId: other.id, hideNotifications: false, durationSeconds });
      }
      case 6:
        return Account.unmute.to(one.id, { targetId: other.id });
      case 7:
        return Account.changeLogin.to(one.id, { suspended: random.chance(0.3), role: random.pick(['user', 'admin']) });
      default:
        return this.changedProfile(random.chance(0.5) ? one : random.pick(this.remotes));
    }
  }

  /** A new filter, or one that says something else from now on. */
  private filtered({ id }: Person): Envelope {
    const { random } = this;
    const [known] = filtersOf(this.server.read, id);
    const changes = {
      ...{ title: 'Words', contexts: ['public' as const], action: random.pick(['warn', 'hide'] as const) },
      expiresInSeconds: random.pick([null, 1, 60]),
    };
    const keyword = random.pick(['hello', 'edited 1', 'edited 2']);
    const keywords = [{ id: known?.keywords[0]?.id, keyword, wholeWord: false }];
    return Account.changeFilter.to(id, { filterId: known?.id, changes, keywords });
  }

  private changedProfile(person: Person): Envelope {
    const displayName = `name ${this.random.below(100)}`;
    if (person.destination === undefined)
      return Account.changeProfile.to(person.id, { displayName, locked: this.random.chance(0.3) });
    return Account.learnProfile.to(person.id, { profile: { ...this.people.profile(person)!, displayName } });
  }

  private aboutStatuses(one: Person, status: Status): Envelope {
    const { random } = this;
    const now = this.server.clock.now();
    const post = this.postOf(status.id, status.accountId);
    const original = this.postOf(status.reblogOfId ?? status.id, status.reblogOfAccountId ?? status.accountId);
    const replyTo = random.chance(0.4) ? post : undefined;
    const written = { visibility: random.pick(visibilities), replyTo };
    const threadId = this.people.threadOf(written);
    switch (random.below(12)) {
      case 0:
      case 1:
        return acts.publish(one, written, threadId);
      case 2:
        return acts.receive(
          random.pick(this.remotes),
          { ...written, uri: this.uri(), publishedAt: now - 1_000, threadId },
          now,
        );
      case 3:
        return Account.favourite.to(original.author.id, { statusId: original.id, by: one.id });
      case 4:
        return acts.unfavourite(one, original);
      case 5:
        return acts.reblog(one, original);
      case 6:
        return acts.unreblog(one, original);
      case 7:
        return acts.receiveReblog(random.pick(this.remotes), original, this.uri(), now - 1_000);
      case 8:
        return acts.edit(post, { text: `edited ${random.below(100)}` });
      case 9:
        return Account.bookmark.to(one.id, { statusId: original.id });
      case 10:
        return Account.unbookmark.to(one.id, { statusId: original.id });
      default:
        return status.reblogOfId === undefined ? acts.remove(post) : acts.unreblog(post.author, original);
    }
  }

  private postOf(id: Id, accountId: Id): acts.Post {
    return { id, author: this.everybody.find((one) => one.id === accountId)! };
  }

  /** Events of one partition arrive, as at a gateway; those of the others may be further or less far. */
  arrive(partition: number): boolean {
    const batch = this.underWay[partition]!.shift();
    if (batch === undefined) return false;
    this.events.dispatch(batch, []);
    return true;
  }

  arriveAll(): void {
    for (const partition of this.underWay.keys()) while (this.arrive(partition));
  }

  /** Somebody reads something at this very moment, and it is kept. */
  readSomething(): void {
    const { random } = this;
    this.posts();
    const viewer = random.chance(0.2) ? undefined : random.pick(this.locals).id;
    this.page([...this.ids], viewer, random.pick(contexts));
  }

  expectTruth(): number {
    this.posts();
    const ids = [...this.ids];
    let shown = 0;
    for (const viewerId of [undefined, ...this.locals.map(({ id }) => id)]) {
      for (const context of contexts) {
        const page = this.page(ids, viewerId, context);
        const plain = ids.flatMap((id) => this.plain(id, viewerId, context) ?? []);
        expectEqual(page, JSON.stringify(plain));
        shown += plain.length;
      }
      for (const id of ids.filter(() => this.random.chance(0.2)))
        expectEqual(this.one(id, viewerId), JSON.stringify(this.plain(id, viewerId, 'single')));
    }
    return shown;
  }

  private page(ids: readonly Id[], viewerId: Id | undefined, context: PresentationContext): string {
    return this.answers.list(this.presenter.page(BigUint64Array.from(ids), viewerId, context)).toString();
  }

  private one(id: Id, viewerId: Id | undefined): string | undefined {
    const shown = this.presenter.one(id, viewerId, 'single');
    return shown === undefined ? undefined : this.answers.status(shown).toString();
  }

  private plain(id: Id, viewerId: Id | undefined, context: PresentationContext): object | undefined {
    const { server } = this;
    return plainStatus(
      { reader: server.read, addresses: this.addresses, now: server.clock.now() },
      id,
      viewerId,
      context,
    );
  }

  private uri(): string {
    this.uris += 1;
    return `https://there.test/activities/${this.uris}`;
  }
}

function play(seed: number): number {
  const readers = new Readers(seed);
  const { server, random } = readers;
  let shown = 0;
  for (let round = 0; round < rounds; round += 1) {
    const posts = readers.posts();
    for (let act = 0; act < actsPerRound; act += 1) {
      const envelope = readers.act(posts);
      if (envelope !== undefined) server.send(envelope);
      for (let count = random.below(10); count > 0; count -= 1) server.step();
      if (random.chance(0.5)) readers.arrive(random.below(3));
      readers.readSomething();
    }
    server.settle();
    readers.readSomething();
    readers.arriveAll();
    shown += readers.expectTruth();
    // Mutes end meanwhile.
    server.clock.advance(random.below(3) * 900);
    readers.arriveAll();
    shown += readers.expectTruth();
  }
  readers.people.expectSound();
  expect(server.problems).toEqual([]);
  return shown;
}

test.each(fixedSeeds(6, 12))('pages show what storage says (seed %i)', (seed) => {
  expect(play(seed)).toBeGreaterThan(0);
});

testFreshSeeds('pages of statuses', play, { seconds: 60 });
