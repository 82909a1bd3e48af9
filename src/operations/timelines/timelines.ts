/**
 * The lists of statuses without a reader of their own: the public timeline, those of tags, and the statuses of an
 * account. `show` maps an id to what is shown, undefined for one not shown: pages are filled up to their limit.
 */
import { isDiscoverable } from '../../actors/account/profile/profiles.queries.ts';
import {
  type AccountStatusEntry,
  chooseStatuses,
  mediaEntriesOf,
  type StatusesOfAccount,
  statusEntriesOf,
} from '../../actors/account/statuses/account-statuses.queries.ts';
import { cacheables } from '../../actors/cacheables.ts';
import type { Page, PageBounds } from '../../actors/pages.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import {
  chooseListed,
  hasTags,
  type ListedStatus,
  linkEntries,
  type Origin,
  publicEntries,
  publicMediaEntries,
  type TagChoice,
  type TimelineChoice,
  tagEntries,
  tagMediaEntries,
} from '../../actors/timelines.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Caches } from '../../services/caches.ts';
import type { EventHub } from '../../services/event-hub.ts';
import { RecentEntries } from './recent-entries.ts';

type Show<Item> = (statusId: Id) => Item | undefined;

export class Timelines {
  private readonly snapshots: Snapshots;
  private readonly publicLists: RecentEntries<Origin, ListedStatus, undefined>;
  private readonly tagLists: RecentEntries<string, ListedStatus, string | undefined>;
  private readonly accountLists: RecentEntries<Id, AccountStatusEntry, Id>;

  constructor(snapshots: Snapshots, events: EventHub, caches: Caches) {
    this.snapshots = snapshots;
    const bytesMax = Math.floor(caches.bytesMax('lists') / 3);
    this.publicLists = new RecentEntries({
      events,
      bytesMax,
      of: cacheables.publicTimeline,
      keyOf: (): Origin | undefined => undefined,
      read: (origin, bounds) => publicEntries(snapshots, origin, bounds),
    });
    this.tagLists = new RecentEntries({
      events,
      bytesMax,
      of: cacheables.tagTimeline,
      keyOf: (tag) => tag,
      read: (tag, bounds) => tagEntries(snapshots, [tag], bounds),
    });
    this.accountLists = new RecentEntries({
      events,
      bytesMax,
      of: cacheables.statusesOfAccount,
      keyOf: (accountId) => accountId,
      read: (accountId, bounds) => statusEntriesOf(snapshots, accountId, bounds),
    });
    const kinds = [this.publicLists, this.tagLists, this.accountLists];
    caches.measure('lists', {
      get bytes() {
        return kinds.reduce((sum, lists) => sum + lists.bytes, 0);
      },
    });
  }

  public<Item>(choice: TimelineChoice, viewer: Viewer, bounds: PageBounds, show: Show<Item>): Page<Item> {
    const entries = choice.onlyMedia
      ? publicMediaEntries(this.snapshots, choice.origin, bounds)
      : this.publicLists.entries(choice.origin, bounds);
    return chooseListed(entries, choice, viewer, bounds, ({ id }) => show(id));
  }

  tag<Item>(tags: TagChoice, choice: TimelineChoice, viewer: Viewer, bounds: PageBounds, show: Show<Item>): Page<Item> {
    return chooseListed(this.taggedEntries(tags.any, choice, bounds), choice, viewer, bounds, (listed) =>
      hasTags(listed, tags) ? show(listed.id) : undefined,
    );
  }

  /** The statuses with a link, by authors who want to be found (behaviour of the Mastodon API). `page`: that of the card. */
  link<Item>(page: string, origin: Origin, viewer: Viewer, bounds: PageBounds, show: Show<Item>): Page<Item> {
    const entries = linkEntries(this.snapshots, page, bounds);
    return chooseListed(entries, { origin, onlyMedia: false }, viewer, bounds, ({ id, entry, partition }) =>
      isDiscoverable(partition, entry.accountId) ? show(id) : undefined,
    );
  }

  private taggedEntries(tags: readonly string[], { onlyMedia }: TimelineChoice, bounds: PageBounds) {
    if (onlyMedia) return tagMediaEntries(this.snapshots, tags, bounds);
    const [name, ...others] = tags;
    const isOneTag = name !== undefined && others.length === 0;
    return isOneTag ? this.tagLists.entries(name, bounds) : tagEntries(this.snapshots, tags, bounds);
  }

  /** The ids of a full page of all statuses of an account, regardless of visibility, where that is cached as a whole. */
  cachedPageOfAccount(accountId: Id, bounds: PageBounds): BigUint64Array | undefined {
    return this.accountLists.page(accountId, bounds);
  }

  ofAccount<Item>(wanted: StatusesOfAccount, bounds: PageBounds, show: Show<Item>): Page<Item> {
    const { accountId, choice } = wanted;
    const entries = choice.onlyMedia
      ? mediaEntriesOf(this.snapshots, accountId, bounds)
      : this.accountLists.entries(accountId, bounds);
    return chooseStatuses(entries, wanted, bounds, show);
  }
}
