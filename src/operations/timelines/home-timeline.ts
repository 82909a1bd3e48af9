/**
 * The home timeline for readers: the feed of followed accounts, merged with the public statuses of followed tags. Tags
 * are not written into feeds: every post would have to be sent to every partition with a follower of one of its tags.
 *
 * The newest ids of an account's tags are cached until one of their timelines changes: a home that was read before
 * costs one look at each tag's version.
 */

import { followedTagNames } from '../../actors/account/followed-tags/followed-tags.queries.ts';
import { exclusiveMembers } from '../../actors/account/lists/lists.queries.ts';
import { findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { cacheables } from '../../actors/cacheables.ts';
import { type PageBounds, readsUpwards } from '../../actors/pages.ts';
import { tagEntries } from '../../actors/timelines.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import { SizedMap } from '../../runtime/sized-map.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Feeds, HomePage } from '../../services/feeds.ts';
import type { Services } from '../../services/services.ts';
import { timelineLimits } from './limits.ts';

/** How often the timeline of a tag has changed. */
interface TagChanges {
  count: number;
}

interface FollowedTags {
  readonly names: readonly string[];
  /** Of each name: the same object for all who follow the tag. */
  readonly changes: readonly TagChanges[];
  /** Newest first, and whether there are no others; valid for `version`. */
  readonly recent: { readonly version: number; readonly ids: readonly Id[]; readonly isWhole: boolean } | undefined;
}

const none: FollowedTags = { names: [], changes: [], recent: undefined };

/** About the memory of a name, and of an id (measured). */
const nameBytes = 100;
const idBytes = 40;

function bytesOfTags({ names, recent }: FollowedTags): number {
  return names.length * nameBytes + (recent?.ids.length ?? 0) * idBytes;
}

export interface HomeTimelineServices extends Pick<Services, 'snapshots' | 'events' | 'caches'> {
  readonly feeds: Pick<Feeds, 'home'>;
}

export class HomeTimeline {
  private readonly snapshots: Snapshots;
  private readonly feeds: Pick<Feeds, 'home'>;
  private readonly followed: SizedMap<Id, FollowedTags>;
  /** Of tags that are followed here. */
  private readonly changes = new Map<string, TagChanges>();
  /** How often all tags have changed at once. */
  private commonChanges = 0;

  constructor({ snapshots, events, feeds, caches }: HomeTimelineServices) {
    this.snapshots = snapshots;
    this.feeds = feeds;
    this.followed = new SizedMap({ bytesMax: caches.bytesMax('followedTags'), bytesOf: bytesOfTags });
    caches.measure('followedTags', this.followed);
    events.onInvalidation(cacheables.followedTags, (accountId) => this.followed.delete(accountId));
    events.onInvalidation(cacheables.tagTimeline, (name) => {
      const changes = name === undefined ? undefined : this.changes.get(name);
      if (name === undefined) this.commonChanges += 1;
      else if (changes !== undefined) changes.count += 1;
    });
    events.onLoss(() => this.followed.clear());
  }

  page(accountId: Id, bounds: PageBounds): HomePage | Promise<HomePage> {
    const home = this.feeds.home(accountId, bounds);
    const tags = this.followedBy(accountId);
    if (tags.names.length === 0) return home;
    return home instanceof Promise
      ? home.then((page) => this.merged(page, accountId, tags, bounds))
      : this.merged(home, accountId, tags, bounds);
  }

  /** Whether a followed tag brings a status into the home, whatever else does. */
  bringsByTag(accountId: Id, statusId: Id): boolean {
    const tags = this.followedBy(accountId);
    const bounds = { sinceId: statusId - 1n, maxId: statusId + 1n, limit: 1 };
    return tags.names.length > 0 && this.read(accountId, tags, bounds).length > 0;
  }

  private merged(home: HomePage, accountId: Id, tags: FollowedTags, bounds: PageBounds): HomePage {
    const { limit } = bounds;
    const fromTags = this.idsOf(accountId, tags, bounds);
    if (fromTags.length === 0) return home;
    const ids = inBoth(home.ids, fromTags);
    // Each has as many as fit, from the same end.
    return { ids: readsUpwards(bounds) ? ids.subarray(-limit) : ids.subarray(0, limit), complete: home.complete };
  }

  /** At most as many as the page has, newest first. */
  private idsOf(accountId: Id, tags: FollowedTags, bounds: PageBounds): readonly Id[] {
    const { ids, isWhole } = this.recentOf(accountId, tags);
    const { maxId, limit } = bounds;
    const after = bounds.minId ?? bounds.sinceId;
    const isBounded = maxId !== undefined || after !== undefined;
    const within = isBounded
      ? ids.filter((id) => (maxId === undefined || id < maxId) && (after === undefined || id > after))
      : ids;
    const oldest = ids.at(-1);
    const isRecent = isWhole || (after !== undefined && oldest !== undefined && after >= oldest);
    if (readsUpwards(bounds)) return isRecent ? within.slice(-limit) : this.read(accountId, tags, bounds).reverse();
    return isRecent || within.length >= limit ? within.slice(0, limit) : this.read(accountId, tags, bounds);
  }

  private recentOf(accountId: Id, tags: FollowedTags): NonNullable<FollowedTags['recent']> {
    let version = this.commonChanges;
    for (const { count } of tags.changes) version += count;
    if (tags.recent?.version === version) return tags.recent;
    const limit = timelineLimits.entriesKeptMax;
    const ids = this.read(accountId, tags, { limit });
    const recent = { version, ids, isWhole: ids.length < limit };
    this.followed.set(accountId, { ...tags, recent });
    return recent;
  }

  /**
   * Own statuses are at home already, members of exclusive lists are in these, and limited accounts are for followers
   * only.
   */
  private read(accountId: Id, { names }: FollowedTags, bounds: PageBounds): Id[] {
    const leftOut = exclusiveMembers(this.snapshots, accountId);
    const ids: Id[] = [];
    for (const { id, entry } of tagEntries(this.snapshots, names, bounds)) {
      if (entry.accountId === accountId || leftOut.has(entry.accountId)) continue;
      if (findAccount(this.snapshots, entry.accountId)?.profile.limited !== false) continue;
      ids.push(id);
      if (ids.length === bounds.limit) break;
    }
    return ids;
  }

  private followedBy(accountId: Id): FollowedTags {
    const known = this.followed.get(accountId);
    if (known !== undefined) return known;
    if (this.changes.size >= timelineLimits.tagsFollowedMax) {
      this.followed.clear();
      this.changes.clear();
    }
    const names = followedTagNames(this.snapshots, accountId);
    const tags = names.length === 0 ? none : { names, changes: names.map(this.changesOf), recent: undefined };
    this.followed.set(accountId, tags);
    return tags;
  }

  private readonly changesOf = (name: string): TagChanges => {
    let changes = this.changes.get(name);
    if (changes === undefined) {
      changes = { count: 0 };
      this.changes.set(name, changes);
    }
    return changes;
  };
}

/** The union of two lists that are newest first, without duplicates. */
function inBoth(one: BigUint64Array, other: readonly Id[]): BigUint64Array {
  const ids = new BigUint64Array(one.length + other.length);
  let [count, first, second] = [0, 0, 0];
  while (first < one.length || second < other.length) {
    const [left, right] = [one[first], other[second]];
    const next = right === undefined || (left !== undefined && left >= right) ? left! : right;
    if (left === next) first += 1;
    if (right === next) second += 1;
    ids[count] = next;
    count += 1;
  }
  return ids.subarray(0, count);
}
