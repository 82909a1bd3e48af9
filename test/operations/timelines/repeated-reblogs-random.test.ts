/**
 * Whatever people do: pages of homes and lists, in every size and both directions, from rings and by merging, leave out
 * the reblogs that the rule leaves out when it is applied to the whole feed, and nothing else; streams leave out the
 * same. Seeded; a failure prints its seed.
 */

import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { followedTagNames } from '../../../src/actors/account/followed-tags/followed-tags.queries.ts';
import { followsOf, storedStatuses } from '../../../src/actors/account/home/home.queries.ts';
import { exclusiveMembers } from '../../../src/actors/account/lists/lists.queries.ts';
import { viewerOf } from '../../../src/actors/account/relationships/viewer.queries.ts';
import { findStatus } from '../../../src/actors/account/status-views.queries.ts';
import type { Page, PageBounds } from '../../../src/actors/pages.ts';
import { isInTagTimelines } from '../../../src/actors/policy/visibility.ts';
import { isShown } from '../../../src/operations/presentation/contexts.ts';
import { feedPage, readerFeed } from '../../../src/operations/timelines/feed-page.ts';
import { HomeTimeline } from '../../../src/operations/timelines/home-timeline.ts';
import { ListTimeline } from '../../../src/operations/timelines/list-timeline.ts';
import { Originals } from '../../../src/operations/timelines/originals.ts';
import { type ReaderFeed, RepeatedReblogs } from '../../../src/operations/timelines/repeated-reblogs.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import type { Client } from '../../../src/runtime/threads/client.ts';
import type { Caches } from '../../../src/services/caches.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import { Feeds } from '../../../src/services/feeds.ts';
import { TimeSlices } from '../../../src/services/time-slices.ts';
import { SeededRandom } from '../../sim/random.ts';
import { fixedSeeds, testFreshSeeds } from '../../sim/seeds.ts';
import type { Post } from '../../support/acts.ts';
import { roomyCaches } from '../../support/caches.ts';
import { expectEqual } from '../../support/equal.ts';
import { FeedOwners } from '../../support/feed-owners.ts';
import { mergedHome, mergedList } from '../../support/merged-home.ts';
import type { Person } from '../../support/observer.ts';
import { only } from '../../support/only.ts';
import type { People } from '../../support/people.ts';

const seeds = fixedSeeds(10);
const acts = 60;
const everything = 10_000;
const tags = ['cats', 'dogs'];
/** With room for a few ids. */
const tinyCaches = only<Caches>('caches', { bytesMax: () => 64, measure: () => undefined });

interface Item {
  readonly status: { readonly id: Id; readonly reblogOfId: Id | undefined };
}

class Story {
  readonly random: SeededRandom;
  private readonly owners: FeedOwners;
  private readonly people: People;
  private readonly locals: readonly Person[];
  private readonly remote: Person;
  private readonly entriesBefore: number;
  private readonly services: {
    readonly homeTimeline: HomeTimeline;
    readonly listTimeline: ListTimeline;
    readonly repeatedReblogs: RepeatedReblogs;
  };
  private readonly posts: Post[] = [];
  private readonly feeds: ReaderFeed[] = [];
  /** What the feeds have left out. */
  leftOut = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    this.entriesBefore = this.random.between(1, 8);
    this.owners = new FeedOwners({ partitions: 2, rings: 6, entries: this.random.between(8, 40) });
    const { people, server } = this.owners;
    this.people = people;
    this.locals = ['alice', 'bob', 'carol', 'dave'].map((name) => people.local(name));
    this.remote = people.remote('rita', 'there.test');
    const events = new EventHub();
    server.watch((batch) => events.dispatch(batch, []));
    const snapshots = server.read;
    const control = async (partition: number, view: string, request: unknown) =>
      server.partitions[partition]!.control(view, request) as never;
    const feeds = new Feeds({
      client: only<Client>('client', { placement: snapshots.placement, control }),
      statuses: storedStatuses,
      ...{ snapshots, slices: new TimeSlices(), rings: this.owners.memories, rebuildMilliseconds: 1_000 },
      monotonic: () => server.clock.monotonic(),
      report: ({ message }) => expect.fail(message),
    });
    const [caches, small] = [roomyCaches(), this.random.chance(0.5)];
    const homeTimeline = new HomeTimeline({ snapshots, events, feeds, caches });
    this.services = {
      homeTimeline,
      listTimeline: new ListTimeline({ snapshots, feeds, caches }),
      repeatedReblogs: new RepeatedReblogs({
        ...{ feeds, homeTimeline, entriesBefore: this.entriesBefore },
        originals: new Originals(snapshots, small ? tinyCaches : caches),
        isShown: (statusId, accountId) => this.isShown(statusId, accountId),
      }),
    };
  }

  async begin(): Promise<void> {
    for (const one of this.locals)
      for (const other of [...this.locals, this.remote])
        if (other !== one && this.random.chance(0.5)) await this.people.follow(one, other);
    for (const { id: accountId } of this.locals) {
      this.feeds.push({ accountId }, { accountId });
      if (this.random.chance(0.5)) await this.people.server.call(Account.followTag.to(accountId, { name: tags[0]! }));
      const list = { title: 'Friends', repliesPolicy: 'list' as const, exclusive: this.random.chance(0.2) };
      const { listId } = await this.people.server.call(Account.createList.to(accountId, list));
      const follows = [...followsOf(this.people.server.read, accountId)].map(([targetId]) => targetId);
      const memberIds = follows.filter(() => this.random.chance(0.6));
      if (memberIds.length > 0) await this.people.server.call(Account.addToList.to(accountId, { listId, memberIds }));
      this.feeds.push({ accountId, listId });
    }
  }

  async act(): Promise<void> {
    const { random, people } = this;
    const one = random.pick(this.locals);
    const other = random.pick([...this.locals, this.remote].filter((candidate) => candidate !== one));
    const recent = this.posts.slice(-8).filter(({ id }) => findStatus(people.server.read, id) !== undefined);
    const kind = random.below(20);
    if (kind <= 3 || recent.length === 0) this.posts.push(await this.publish(one));
    else if (kind <= 10) await people.reblog(random.chance(0.8) ? one : this.remote, random.pick(recent));
    else if (kind === 11) await people.unreblog(one, random.pick(recent));
    else if (kind === 12) await people.remove(random.pick(recent));
    else if (kind <= 14) await (random.chance(0.6) ? people.mute(one, other) : people.unmute(one, other));
    else if (kind <= 16) await (random.chance(0.5) ? people.unfollow(one, other) : people.follow(one, other));
    else if (kind <= 18) {
      const message = random.chance(0.8) ? Account.followTag : Account.unfollowTag;
      await people.server.call(message.to(one.id, { name: random.pick(tags) }));
    } else this.posts.push(await this.receive());
  }

  private publish(author: Person): Promise<Post> {
    const { random } = this;
    const visibility = random.pick(['public', 'public', 'unlisted'] as const);
    return this.people.publish(author, { visibility, tags: tags.filter(() => random.chance(0.5)) });
  }

  /** Late: it is older than what is there. */
  private receive(): Promise<Post> {
    const uri = `https://there.test/notes/${this.posts.length}`;
    return this.people.receive(this.remote, uri, { ageMilliseconds: this.random.below(20_000) });
  }

  isShown(statusId: Id, accountId: Id): boolean {
    const { read, clock } = this.people.server;
    const view = findStatus(read, statusId);
    const viewer = viewerOf(read, accountId, clock.now());
    return [view, view?.reblog].every((part, index) => {
      if (part === undefined) return index === 1;
      const { limited, suspendedAt, domain } = part.author.profile;
      const author = { isLimited: limited, isSuspended: suspendedAt !== undefined, domain };
      return isShown(part.status, author, viewer, 'home');
    });
  }

  private reblogOf(id: Id): Id | undefined {
    return findStatus(this.people.server.read, id)?.status.reblogOfId;
  }

  /** Public statuses that a followed tag brings there. */
  private byTag({ accountId, listId }: ReaderFeed): Id[] {
    if (listId !== undefined) return [];
    const { read } = this.people.server;
    const followed = followedTagNames(read, accountId);
    const leftOut = exclusiveMembers(read, accountId);
    return this.posts.flatMap(({ id, author }) => {
      const status = findStatus(read, id)?.status;
      if (status === undefined || !isInTagTimelines(status)) return [];
      const isWanted = author.id !== accountId && !leftOut.has(author.id);
      return isWanted && status.tags.some(({ name }) => followed.includes(name)) ? [id] : [];
    });
  }

  /** The whole feed, newest first, and which reblogs of it are left out: the rule as it is written. */
  private whole(feed: ReaderFeed): { ids: Id[]; repeated: Set<Id> } {
    const { read } = this.people.server;
    const bounds = { limit: everything };
    const followed =
      feed.listId === undefined ? mergedHome(read, feed.accountId, bounds) : mergedList(read, feed.listId, bounds);
    const byTag = this.byTag(feed);
    const repeated = new Set<Id>();
    for (const [index, id] of followed.entries()) {
      const original = this.reblogOf(id);
      if (original === undefined) continue;
      const before = followed.slice(index + 1, index + 1 + this.entriesBefore);
      const oldest = before.length < this.entriesBefore ? 0n : before.at(-1)!;
      const occurrences = [
        ...before.filter((entry) => entry === original || this.reblogOf(entry) === original),
        ...byTag.filter((entry) => entry === original && entry >= oldest && entry < id),
      ];
      if (occurrences.some((entry) => this.isShown(entry, feed.accountId))) repeated.add(id);
    }
    const ids = [...new Set([...followed, ...byTag])].sort((one, other) => (one < other ? 1 : -1));
    return { ids, repeated };
  }

  private async page(feed: ReaderFeed, bounds: PageBounds): Promise<Page<Item>> {
    const show = (ids: BigUint64Array): Item[] =>
      Array.from(ids).flatMap((id) =>
        this.isShown(id, feed.accountId) ? { status: { id, reblogOfId: this.reblogOf(id) } } : [],
      );
    return feedPage<Item>(bounds, { ...readerFeed(this.services, feed), show });
  }

  /** All pages from one end to the other, each whole. */
  private async walk(feed: ReaderFeed, limit: number, upwards: boolean, hidden: readonly Id[]): Promise<Id[]> {
    const all: Id[] = [];
    let bounds: PageBounds = upwards ? { minId: 0n, limit } : { limit };
    for (;;) {
      const page = await this.page(feed, bounds);
      const ids = page.items.map(({ status }) => status.id);
      if (upwards) all.unshift(...ids);
      else all.push(...ids);
      if (!page.full) return all;
      const missed = hidden.filter((id) => id >= page.oldest! && id <= page.newest!).length;
      expect(ids.length + missed, 'the length of a page that is not the last').toBeGreaterThanOrEqual(limit);
      bounds = upwards ? { minId: page.newest, limit } : { maxId: page.oldest, limit };
    }
  }

  async check(): Promise<void> {
    const feed = this.random.pick(this.feeds);
    const { ids, repeated } = this.whole(feed);
    const shown = ids.filter((id) => this.isShown(id, feed.accountId));
    const expected = shown.filter((id) => !repeated.has(id));
    this.leftOut += shown.length - expected.length;
    const hidden = ids.filter((id) => !shown.includes(id));
    const limit = this.random.between(1, 12);
    for (const upwards of [false, true])
      expectEqual(await this.walk(feed, limit, upwards, hidden), expected, upwards ? 'upwards' : 'downwards');
    this.checkLive(feed, shown, repeated);
  }

  /** Where the ring reaches back far enough. */
  private checkLive(feed: ReaderFeed, shown: readonly Id[], repeated: ReadonlySet<Id>): void {
    const ring = this.owners.ringOf({ id: feed.listId ?? feed.accountId } as Person);
    for (const [index, id] of ring?.ids.entries() ?? []) {
      const reblogOfId = this.reblogOf(id);
      if (reblogOfId === undefined || !shown.includes(id)) continue;
      if (!ring!.whole && index < this.entriesBefore) continue;
      expectEqual(this.services.repeatedReblogs.includes(feed, { id, reblogOfId }), repeated.has(id), 'in a stream');
    }
  }
}

async function play(seed: number): Promise<number> {
  const story = new Story(seed);
  await story.begin();
  for (let act = 0; act < acts; act += 1) {
    await story.act();
    if (act % 5 === 0) await story.check();
  }
  return story.leftOut;
}

test(`homes and lists leave out repetitions, and nothing else, in ${seeds.length} stories`, async () => {
  let leftOut = 0;
  for (const seed of seeds) {
    try {
      leftOut += await play(seed);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  // The stories are about something.
  expect(leftOut).toBeGreaterThan(seeds.length * 10);
});

testFreshSeeds('repeated reblogs', play, { seconds: 60 });
