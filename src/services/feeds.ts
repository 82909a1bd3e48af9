/**
 * Home timelines and those of lists, as a gateway reads them: from the ring of a warm feed, or by merging for a cold
 * one and for pages older than the ring. A cold feed is merged for its reader and warmed after the answer.
 *
 * INVARIANT merging never holds up other requests: a home of many authors is merged in slices (see TimeSlices), and one
 * that takes too long is answered as incomplete while its ring is being filled. However many homes are cold, as all are
 * after a start, only some are merged at a time: a merge holds statuses of each author.
 */
import { type AuthorStatuses, homeStatusIds, listStatusIds } from '../actors/account/home/home.queries.ts';
import type { PageBounds } from '../actors/pages.ts';
import { type RingCopy, type RingMemory, RingReader } from '../actors/partition/feed-rings.queries.ts';
import type { FeedAnswer } from '../actors/partition/feeds.messages.ts';
import type { Id } from '../runtime/ids.ts';
import { slotOfId } from '../runtime/ids.ts';
import type { Problem } from '../runtime/ports.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import type { Client } from '../runtime/threads/client.ts';
import { feedLimits } from './limits.ts';
import { Slots } from './slots.ts';
import type { TimeSlices } from './time-slices.ts';

export interface HomePage {
  /** Newest first; valid until the next page is read. */
  readonly ids: BigUint64Array;
  /** False while the feed is being rebuilt: the answer is 206 (specification 3). */
  readonly complete: boolean;
}

export interface FeedsOptions {
  readonly client: Client;
  readonly snapshots: Snapshots;
  readonly slices: TimeSlices;
  readonly statuses: AuthorStatuses;
  /** One per partition. */
  readonly rings: readonly RingMemory[];
  /** How long a read waits for a home that is being rebuilt; 0 for not at all. */
  readonly rebuildMilliseconds: number;
  /** The same for the threads that write the rings (`Clock` in runtime/ports.ts). */
  monotonic(): number;
  report(problem: Problem): void;
}

const noIds = new BigUint64Array();

type MergeSteps = ReturnType<typeof homeStatusIds>;

/** A feed with a ring: its key, and how its ids are merged from storage. */
interface Feed {
  readonly key: Id;
  readonly merge: typeof homeStatusIds;
}

export class Feeds {
  private readonly options: FeedsOptions;
  private readonly readers: readonly RingReader[];
  private readonly warming = new Set<Id>();
  private readonly merges = new Slots(feedLimits.mergesUnderWayMax);
  private readonly fills = new Slots(feedLimits.fillsUnderWayMax);

  constructor(options: FeedsOptions) {
    this.options = options;
    this.readers = options.rings.map((memory) => new RingReader(memory));
  }

  /** A promise where many authors have to be merged. */
  home(accountId: Id, bounds: PageBounds): HomePage | Promise<HomePage> {
    return this.read({ key: accountId, merge: homeStatusIds }, bounds, this.options.rebuildMilliseconds);
  }

  /** The same for a list. The specification knows only homes that are incomplete: a list is waited for (section 3). */
  list(listId: Id, bounds: PageBounds): HomePage | Promise<HomePage> {
    return this.read({ key: listId, merge: listStatusIds }, bounds, feedLimits.mergeMillisecondsMax);
  }

  /** The same; undefined where its ring has to be filled first. */
  warmList(listId: Id, bounds: PageBounds): HomePage | Promise<HomePage> | undefined {
    return this.readWarm({ key: listId, merge: listStatusIds }, bounds);
  }

  /**
   * The ids before one of a home, newest first, as far as its ring has them: streams cannot wait. Undefined where the
   * ring has to be filled first, which begins.
   */
  homeInRing(accountId: Id, maxId: Id, limit: number): BigUint64Array | undefined {
    return this.inRing({ key: accountId, merge: homeStatusIds }, maxId, limit);
  }

  /** The same for a list. */
  listInRing(listId: Id, maxId: Id, limit: number): BigUint64Array | undefined {
    return this.inRing({ key: listId, merge: listStatusIds }, maxId, limit);
  }

  /** Fills the ring of a home, unless it is filled or that is in progress. Settles when it is done; a failure is reported. */
  async warmHome(accountId: Id): Promise<void> {
    const feed = { key: accountId, merge: homeStatusIds };
    if (this.ringOf(feed) === undefined) await this.warm(feed);
  }

  private inRing(feed: Feed, maxId: Id, limit: number): BigUint64Array | undefined {
    const ring = this.ringOf(feed);
    if (ring === undefined) {
      void this.warm(feed);
      return undefined;
    }
    const end = lowerBound(ring.ids, maxId);
    return ring.ids.subarray(Math.max(0, end - limit), end).reverse();
  }

  private ringOf({ key }: Feed): RingCopy | undefined {
    return this.readers[this.partitionOf(key)]!.read(key, Math.floor(this.options.monotonic() / 1000));
  }

  private readWarm(feed: Feed, bounds: PageBounds): HomePage | Promise<HomePage> | undefined {
    const ring = this.ringOf(feed);
    return ring === undefined ? undefined : this.pageOf(feed, ring, bounds);
  }

  private read(feed: Feed, bounds: PageBounds, milliseconds: number): HomePage | Promise<HomePage> {
    const warm = this.readWarm(feed, bounds);
    if (warm !== undefined) return warm;
    void this.warm(feed);
    return milliseconds === 0 ? { ids: noIds, complete: false } : this.merge(feed, bounds, noIds, milliseconds);
  }

  partitionOf(accountId: Id): number {
    return this.options.client.placement.partitionOf(slotOfId(accountId));
  }

  /** Fills the ring of the feed, unless that is in progress. */
  private async warm(feed: Feed): Promise<void> {
    if (this.warming.has(feed.key)) return;
    this.warming.add(feed.key);
    await this.fills
      .run(() => this.fill(feed))
      .catch((error: unknown) => this.options.report({ level: 'warn', message: 'a feed could not be warmed', error }))
      .finally(() => this.warming.delete(feed.key));
  }

  private async fill(feed: Feed): Promise<void> {
    const { client } = this.options;
    const { key: accountId } = feed;
    const partition = this.partitionOf(accountId);
    const { generation } = await client.control<FeedAnswer>(partition, 'feeds', { kind: 'open', accountId });
    if (generation === undefined) return;
    const limit = this.readers[partition]!.entries;
    const ids = await this.options.slices.run(this.merging(feed, { limit }));
    await client.control<FeedAnswer>(partition, 'feeds', {
      kind: 'fill',
      accountId,
      generation,
      ids: ids.reverse(),
      whole: ids.length < limit,
    });
  }

  /** Merges the ids behind those `known` already. */
  private merge(
    feed: Feed,
    bounds: PageBounds,
    known: BigUint64Array,
    milliseconds: number = feedLimits.mergeMillisecondsMax,
  ): HomePage | Promise<HomePage> {
    const { monotonic, slices } = this.options;
    const deadline = monotonic() + milliseconds;
    const begin = () => this.merging(feed, bounds);
    const begun = begin();
    const first = begun.next();
    if (first.done) return whole(known, first.value);
    const kept = known.slice();
    // While it waits for others it is not to hold what it has read.
    const steps = this.merges.isFull ? begin() : begun;
    return this.merges.run(() => slices.run(this.mergeUntil(steps, kept, deadline)));
  }

  private merging({ key, merge }: Feed, bounds: PageBounds): MergeSteps {
    return merge(this.options.snapshots, key, bounds, this.options.statuses);
  }

  private *mergeUntil(steps: MergeSteps, kept: BigUint64Array, deadline: number): Generator<undefined, HomePage> {
    while (this.options.monotonic() < deadline) {
      yield;
      const step = steps.next();
      if (step.done) return whole(kept, step.value);
    }
    return { ids: kept, complete: false };
  }

  private pageOf(feed: Feed, ring: RingCopy, bounds: PageBounds): HomePage | Promise<HomePage> {
    return bounds.minId === undefined
      ? this.olderPage(feed, ring, bounds)
      : this.newerPage(feed, ring, bounds, bounds.minId);
  }

  private olderPage(feed: Feed, ring: RingCopy, bounds: PageBounds): HomePage | Promise<HomePage> {
    const end = bounds.maxId === undefined ? ring.ids.length : lowerBound(ring.ids, bounds.maxId);
    const begin = bounds.sinceId === undefined ? 0 : lowerBound(ring.ids, bounds.sinceId + 1n);
    const first = Math.max(begin, end - bounds.limit);
    const ids = ring.ids.subarray(Math.min(first, end), end).reverse();
    if (ids.length === bounds.limit || begin > 0 || ring.whole) return { ids, complete: true };
    const maxId = ids.at(-1) ?? bounds.maxId;
    return this.merge(feed, { ...bounds, maxId, limit: bounds.limit - ids.length }, ids);
  }

  private newerPage(feed: Feed, ring: RingCopy, bounds: PageBounds, minId: Id): HomePage | Promise<HomePage> {
    const oldest = ring.ids[0];
    if (!ring.whole && (oldest === undefined || minId < oldest)) return this.merge(feed, bounds, noIds);
    const begin = lowerBound(ring.ids, minId + 1n);
    const end = bounds.maxId === undefined ? ring.ids.length : lowerBound(ring.ids, bounds.maxId);
    const ids = ring.ids.subarray(begin, Math.max(begin, Math.min(end, begin + bounds.limit))).reverse();
    return { ids, complete: true };
  }
}

function whole(known: BigUint64Array, merged: readonly Id[]): HomePage {
  const ids = new BigUint64Array(known.length + merged.length);
  ids.set(known);
  ids.set(merged, known.length);
  return { ids, complete: true };
}

function lowerBound(ids: BigUint64Array, id: Id): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
