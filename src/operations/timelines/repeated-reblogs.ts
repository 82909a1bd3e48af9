/**
 * Reblogs that homes and lists leave out because the reader finds the same status just below (decision 45; "group boosts"
 * of Mastodon). A reblog is left out while the status itself or another reblog of it is among the entries before it in
 * the same feed and shown to the reader: the oldest stays, and where that is removed or hidden, the next one appears.
 *
 * INVARIANT what is left out follows from the feed and from what its reader is shown, and from nothing else: it is the
 * same on every page, in both directions, from rings and from storage, on every gateway and after a restart.
 */
import type { Id } from '../../runtime/ids.ts';
import type { Feeds, HomePage } from '../../services/feeds.ts';
import { highHalf, lowHalf } from '../presentation/id-map.ts';
import type { HomeTimeline } from './home-timeline.ts';
import { timelineLimits } from './limits.ts';
import type { Originals, Reblog } from './originals.ts';

/** Newest first: entries of a feed, and the status that each of them shows. */
export interface FeedWindow {
  readonly ids: BigUint64Array;
  readonly originals: BigUint64Array;
}

/** What the reader of a feed finds in it. */
export interface Reading {
  isShown(statusId: Id): boolean;
  /** Whether a followed tag brings the status into the feed. */
  comesByTag(statusId: Id): boolean;
}

/**
 * Those of the reblogs, newest first, that are left out because of one of the `entriesBefore` entries before them. All
 * are in one feed, in which `window` begins behind the newest of them.
 */
export function repeatedAmong(
  reblogs: readonly Reblog[],
  { ids, originals }: FeedWindow,
  entriesBefore: number,
  { isShown, comesByTag }: Reading,
): ReadonlySet<Id> {
  const halves = new Int32Array(originals.buffer, originals.byteOffset, 2 * originals.length);
  const repeated = new Set<Id>();
  let begin = 0;
  for (const { id, reblogOfId } of reblogs) {
    while (begin < ids.length && ids[begin]! >= id) begin += 1;
    const end = Math.min(ids.length, begin + entriesBefore);
    const [low, high] = [lowHalf(reblogOfId), highHalf(reblogOfId)];
    let isRepeated = false;
    for (let index = begin; index < end && !isRepeated; index += 1)
      isRepeated = halves[2 * index] === low && halves[2 * index + 1] === high && isShown(ids[index]!);
    // Entries that come by a tag are not counted: those of busy tags would leave no room for others.
    const isNear = end - begin < entriesBefore || reblogOfId >= ids[end - 1]!;
    isRepeated ||= isNear && reblogOfId < id && comesByTag(reblogOfId) && isShown(reblogOfId);
    if (isRepeated) repeated.add(id);
  }
  return repeated;
}

/** A home, or a list of its reader. */
export interface ReaderFeed {
  readonly accountId: Id;
  /** Undefined for the home. */
  readonly listId?: Id | undefined;
}

export interface RepeatedReblogsOptions {
  readonly feeds: Pick<Feeds, 'home' | 'list' | 'homeInRing' | 'listInRing'>;
  readonly homeTimeline: Pick<HomeTimeline, 'bringsByTag'>;
  readonly originals: Originals;
  /** How many entries before a reblog are looked at. */
  readonly entriesBefore?: number;
  /** Whether the account is shown a status that is in one of its feeds. */
  isShown(statusId: Id, accountId: Id): boolean;
}

const none: ReadonlySet<Id> = new Set();

export class RepeatedReblogs {
  private readonly options: RepeatedReblogsOptions;
  private readonly entriesBefore: number;

  constructor(options: RepeatedReblogsOptions) {
    this.options = options;
    this.entriesBefore = options.entriesBefore ?? timelineLimits.repetitionEntries;
  }

  /** Those of the reblogs, newest first, that the feed leaves out; they are within `entries` of it. */
  among(feed: ReaderFeed, reblogs: readonly Reblog[], entries: number): ReadonlySet<Id> | Promise<ReadonlySet<Id>> {
    const [newest] = reblogs;
    if (newest === undefined) return none;
    const { feeds } = this.options;
    const bounds = { maxId: newest.id, limit: entries + this.entriesBefore };
    const before = feed.listId === undefined ? feeds.home(feed.accountId, bounds) : feeds.list(feed.listId, bounds);
    return before instanceof Promise
      ? before.then(({ ids }) => this.repeated(feed, reblogs, ids))
      : this.repeated(feed, reblogs, before.ids);
  }

  /** For streams: whether the feed leaves out the reblog, as far as its ring tells. */
  includes(feed: ReaderFeed, reblog: Reblog): boolean {
    const { feeds } = this.options;
    const { accountId, listId } = feed;
    const before =
      listId === undefined
        ? feeds.homeInRing(accountId, reblog.id, this.entriesBefore)
        : feeds.listInRing(listId, reblog.id, this.entriesBefore);
    return before !== undefined && this.repeated(feed, [reblog], before).size > 0;
  }

  /** The entries of a feed, newest first, without those that it leaves out. */
  without(feed: ReaderFeed, { ids }: HomePage): readonly Id[] | Promise<readonly Id[]> {
    // Its buffer is used for the next page.
    const kept = Array.from(ids);
    const repeated = this.among(feed, this.options.originals.reblogsAmong(ids), kept.length);
    const left = (out: ReadonlySet<Id>) => (out.size === 0 ? kept : kept.filter((id) => !out.has(id)));
    return repeated instanceof Promise ? repeated.then(left) : left(repeated);
  }

  private repeated(
    { accountId, listId }: ReaderFeed,
    reblogs: readonly Reblog[],
    before: BigUint64Array,
  ): ReadonlySet<Id> {
    const { originals, homeTimeline, isShown } = this.options;
    const window = { ids: before, originals: originals.of(before) };
    return repeatedAmong(reblogs, window, this.entriesBefore, {
      isShown: (statusId) => isShown(statusId, accountId),
      comesByTag: (statusId) => listId === undefined && homeTimeline.bringsByTag(accountId, statusId),
    });
  }
}
