/**
 * Encoded answers against plain entities, byte by byte: whatever happens, in whatever order the events of the partitions arrive and
 * whatever was read and kept meanwhile, once all have arrived every viewer sees what storage says. Seeded; a failure
 * prints its seed.
 */

import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { filtersOf } from '../../../src/actors/account/filters/filters.queries.ts';
import { profiles } from '../../../src/actors/account/profile/profile.state.ts';
import type { Status } from '../../../src/actors/account/statuses/statuses.records.ts';
import { statuses, statusesOfAccount } from '../../../src/actors/account/statuses/statuses.state.ts';
import { EncodedAnswers, type StatusPresenter } from '../../../src/gateway/entities/encoded-answers.ts';
import { entityEncoder } from '../../../src/gateway/entities/encoded-status.ts';
import type { PresentationContext } from '../../../src/operations/presentation/contexts.ts';
import { Presenter } from '../../../src/operations/presentation/presenter.ts';
import type { Envelope } from '../../../src/runtime/contract.ts';
import type { EventBatch } from '../../../src/runtime/events/event.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { Addresses } from '../../../src/services/addresses.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import { FeedTown } from '../../actors/partition/feed-town.ts';
import { SeededRandom } from '../../sim/random.ts';
import { roomyCaches } from '../../support/caches.ts';
import { expectEqual } from '../../support/equal.ts';
import type { Person } from '../../support/observer.ts';
import { plainStatus } from './plain-status.ts';

const seeds = Array.from({ length: process.env.MURMURATION_LONG_TESTS === '1' ? 1_000 : 12 }, (_, index) => index + 1);
const rounds = 8;
const actsPerRound = 8;
const contexts = ['home', 'public', 'thread', 'single'] as const;
const visibilities = ['public', 'public', 'public', 'unlisted', 'private', 'direct'] as const;

class Readers {
  readonly town: FeedTown;
  readonly random: SeededRandom;
  readonly locals: Person[] = [];
  readonly remotes: Person[] = [];
  private readonly events = new EventHub();
  /** Per partition, what has not arrived yet. */
  private readonly underWay: EventBatch[][] = [[], [], []];
  private readonly presenter: StatusPresenter;
  private readonly answers: EncodedAnswers;
  private readonly addresses = new Addresses('https://here.example');
  /** Of every status there ever was. */
  private readonly ids = new Set<Id>([1n]);
  private uris = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    const watch = (batch: EventBatch) => void this.underWay[batch.partition]!.push(batch);
    this.town = new FeedTown({ partitions: 3, rings: 1, entries: 2, watch });
    const { server } = this.town;
    const encoder = entityEncoder(this.addresses);
    const now = () => server.clock.now();
    this.presenter = new Presenter({
      snapshots: server.read,
      events: this.events,
      caches: roomyCaches(),
      now,
      encoder,
    });
    this.answers = new EncodedAnswers(this.presenter, new Addresses('https://here.example'));
  }

  async settleIn(): Promise<void> {
    const { town, random } = this;
    for (const name of ['alice', 'bob', 'carol', 'dave']) this.locals.push(await town.local(name, random.below(1024)));
    for (const name of ['rita', 'sven']) this.remotes.push(await town.remote(name, random.below(1024)));
  }

  posts(): Status[] {
    const { read } = this.town.server;
    const ids = this.town.people.flatMap(({ id }) => [...read.range(statusesOfAccount, [id])].map(({ key }) => key[1]));
    for (const id of ids) this.ids.add(id);
    return ids.flatMap((id) => read.get(statuses, [id]) ?? []);
  }

  act(posts: readonly Status[]): Envelope | undefined {
    const { town, random } = this;
    const one = random.pick(this.locals);
    const other = random.pick(town.people.filter((candidate) => candidate !== one));
    const post = posts.length === 0 ? undefined : random.pick(posts);
    return random.chance(0.45) ? this.aboutPeople(one, other) : (this.aboutStatuses(one, post) ?? town.publish(one));
  }

  private aboutPeople(one: Person, other: Person): Envelope {
    const { random, town } = this;
    const target = { targetId: other.id, targetDestination: other.destination };
    switch (random.below(10)) {
      case 9:
        return this.filtered(one);
      case 0:
      case 1:
        return town.follow(one, other);
      case 2:
        return town.unfollow(one, other);
      case 3:
        return Account.block.to(one.id, target);
      case 4:
        return Account.unblock.to(one.id, target);
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
    const { random, town } = this;
    const [known] = filtersOf(town.server.read, id);
    const changes = {
      ...{ title: 'Words', contexts: ['public' as const], action: random.pick(['warn', 'hide'] as const) },
      expiresInSeconds: random.pick([null, 1, 60]),
    };
    const keyword = random.pick(['hello', 'edited 1', 'edited 2']);
    const keywords = [{ id: known?.keywords[0]?.id, keyword, wholeWord: false }];
    return Account.changeFilter.to(id, { filterId: known?.id, changes, keywords });
  }

  private changedProfile({ id, destination }: Person): Envelope {
    const displayName = `name ${this.random.below(100)}`;
    if (destination === undefined)
      return Account.changeProfile.to(id, { displayName, locked: this.random.chance(0.3) });
    const profile = this.town.server.read.get(profiles, [id])!;
    return Account.learn.to(id, { profile: { ...profile, displayName } });
  }

  private aboutStatuses(one: Person, post: Status | undefined): Envelope | undefined {
    const { random, town } = this;
    if (post === undefined) return undefined;
    const author = town.people.find(({ id }) => id === post.accountId)!;
    const originalId = post.reblogOfId ?? post.id;
    const originalAuthor = town.people.find(({ id }) => id === (post.reblogOfAccountId ?? post.accountId))!;
    const original = {
      statusId: originalId,
      authorId: originalAuthor.id,
      authorDestination: originalAuthor.destination,
    };
    const visibility = random.pick(visibilities);
    const replyTo = random.chance(0.4) ? { id: post.id, accountId: author.id } : undefined;
    switch (random.below(12)) {
      case 0:
      case 1:
        return town.publish(one, { visibility, replyTo });
      case 2:
        return town.receive(random.pick(this.remotes), this.uri(), 1_000, { visibility, replyTo });
      case 3:
        return Account.favourite.to(originalAuthor.id, { statusId: originalId, by: one.id });
      case 4:
        return Account.unfavourite.to(one.id, original);
      case 5:
        return town.reblog(one, originalId, originalAuthor);
      case 6:
        return town.unreblog(one, originalId, originalAuthor);
      case 7:
        return town.receiveReblog(random.pick(this.remotes), originalId, originalAuthor, this.uri(), 1_000);
      case 8:
        return town.edit(author, post.id, `edited ${random.below(100)}`, {});
      case 9:
        return Account.bookmark.to(one.id, { statusId: originalId });
      case 10:
        return Account.unbookmark.to(one.id, { statusId: originalId });
      default:
        return town.remove(author, post.id);
    }
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
    const { server } = this.town;
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

async function play(seed: number): Promise<number> {
  const readers = new Readers(seed);
  await readers.settleIn();
  const { town, random } = readers;
  let shown = 0;
  for (let round = 0; round < rounds; round += 1) {
    const posts = readers.posts();
    for (let act = 0; act < actsPerRound; act += 1) {
      const envelope = readers.act(posts);
      if (envelope !== undefined) town.server.send(envelope);
      for (let count = random.below(10); count > 0; count -= 1) town.server.step();
      if (random.chance(0.5)) readers.arrive(random.below(3));
      readers.readSomething();
    }
    town.server.settle();
    readers.readSomething();
    readers.arriveAll();
    shown += readers.expectTruth();
    // Mutes end meanwhile.
    town.server.clock.advance(random.below(3) * 900);
    readers.arriveAll();
    shown += readers.expectTruth();
  }
  expect(town.server.problems).toEqual([]);
  return shown;
}

test.each(seeds)('pages show what storage says (seed %i)', async (seed) => {
  expect(await play(seed)).toBeGreaterThan(0);
});
