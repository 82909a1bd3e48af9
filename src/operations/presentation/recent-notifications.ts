/**
 * The newest notifications of accounts, as they are stored, kept as long as the account counts no change of them: a page
 * that was read before costs one look at their versions. What has come on top is read alone. Filtered notifications stand
 * apart, and are not kept.
 */
import { notificationLimits } from '../../actors/account/notifications/limits.ts';
import { keptNotifications, notificationVersions } from '../../actors/account/notifications/notifications.queries.ts';
import { type PageBounds, rangeOf, readsUpwards } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Caches } from '../../services/caches.ts';
import { ByteCache, type CacheEntry } from './byte-cache.ts';
import { KnownNotification } from './known-notification.ts';
import type { Encoded } from './known-status.ts';
import { presentationLimits } from './limits.ts';

/** About what a list takes, and each notification with what faces made of it (measured). */
const listBytes = 300;
const notificationBytes = 800;

const { notificationsReadFirst, notificationsKeptMax } = presentationLimits;

class KeptList<AccountBody extends Encoded> implements CacheEntry {
  readonly version: number;
  /** Newest first. */
  readonly entries: KnownNotification<AccountBody>[];
  /** Whether the account has no others. */
  isWhole: boolean;

  constructor(version: number, entries: KnownNotification<AccountBody>[], isWhole: boolean) {
    this.version = version;
    this.entries = entries;
    this.isWhole = isWhole;
  }

  get bytes(): number {
    return listBytes + this.entries.length * notificationBytes;
  }

  get oldestId(): Id | undefined {
    return this.entries.at(-1)?.id;
  }
}

export class RecentNotifications<AccountBody extends Encoded> {
  private readonly snapshots: Snapshots;
  private readonly lists: ByteCache<KeptList<AccountBody>>;

  constructor(snapshots: Snapshots, caches: Caches) {
    if (notificationsKeptMax >= notificationLimits.keptMax)
      throw new Error('a kept list must not reach what goes because there is too much');
    this.snapshots = snapshots;
    this.lists = new ByteCache(caches.bytesMax('notifications'));
    caches.measure('notifications', this.lists);
  }

  /** In the order of the bounds; their limit is not looked at. To be used at once. */
  entries(accountId: Id, bounds: PageBounds): Iterable<KnownNotification<AccountBody>> {
    const list = this.current(accountId);
    if (!readsUpwards(bounds)) return this.newestFirst(accountId, list, bounds);
    const { oldestId, isWhole } = list;
    const reaches = isWhole || (oldestId !== undefined && bounds.minId! >= oldestId);
    return reaches ? oldestFirst(list.entries, bounds) : this.stored(accountId, bounds);
  }

  private *newestFirst(
    accountId: Id,
    list: KeptList<AccountBody>,
    bounds: PageBounds,
  ): Generator<KnownNotification<AccountBody>> {
    const { maxId, sinceId } = bounds;
    let index = maxId === undefined ? 0 : countFrom(list.entries, maxId);
    for (;;) {
      for (; index < list.entries.length; index += 1) {
        const entry = list.entries[index]!;
        if (maxId !== undefined && entry.id >= maxId) continue;
        if (sinceId !== undefined && entry.id <= sinceId) return;
        yield entry;
      }
      if (list.isWhole) return;
      if (list.entries.length >= notificationsKeptMax) break;
      this.extend(accountId, list);
    }
    const { oldestId } = list;
    const before = maxId === undefined || (oldestId !== undefined && oldestId < maxId) ? oldestId : maxId;
    yield* this.stored(accountId, { ...bounds, maxId: before });
  }

  /** The list as it is now. */
  private current(accountId: Id): KeptList<AccountBody> {
    const { version, appendedSince } = notificationVersions(this.snapshots, accountId);
    const known = this.lists.get(accountId);
    if (known?.version === version) return known;
    const list = this.continued(accountId, known, version, appendedSince) ?? this.read(accountId, version);
    this.lists.delete(accountId);
    this.lists.set(accountId, list);
    return list;
  }

  private read(accountId: Id, version: number): KeptList<AccountBody> {
    const entries = this.take(accountId, { limit: notificationsReadFirst });
    return new KeptList(version, entries, entries.length < notificationsReadFirst);
  }

  /** The known list with what has come on top since; undefined where something else has changed, or too much. */
  private continued(
    accountId: Id,
    known: KeptList<AccountBody> | undefined,
    version: number,
    appendedSince: number,
  ): KeptList<AccountBody> | undefined {
    const newestId = known?.entries[0]?.id;
    if (known === undefined || newestId === undefined || known.version < appendedSince) return undefined;
    const newer = this.take(accountId, { sinceId: newestId, limit: notificationsReadFirst });
    if (newer.length === notificationsReadFirst) return undefined;
    const entries = [...newer, ...known.entries];
    const isWhole = known.isWhole && entries.length <= notificationsKeptMax;
    return new KeptList(version, entries.slice(0, notificationsKeptMax), isWhole);
  }

  private extend(accountId: Id, list: KeptList<AccountBody>): void {
    const before = list.bytes;
    const limit = notificationsKeptMax - list.entries.length;
    const older = this.take(accountId, { maxId: list.oldestId, limit });
    list.entries.push(...older);
    list.isWhole = older.length < limit;
    this.lists.grew(accountId, list.bytes - before);
  }

  private take(accountId: Id, bounds: PageBounds): KnownNotification<AccountBody>[] {
    const entries: KnownNotification<AccountBody>[] = [];
    for (const entry of this.stored(accountId, bounds)) {
      entries.push(entry);
      if (entries.length === bounds.limit) break;
    }
    return entries;
  }

  private *stored(accountId: Id, bounds: PageBounds): Generator<KnownNotification<AccountBody>> {
    for (const stored of keptNotifications(this.snapshots, accountId, rangeOf(bounds)))
      yield new KnownNotification(stored);
  }
}

function oldestFirst<AccountBody extends Encoded>(
  entries: readonly KnownNotification<AccountBody>[],
  { minId, maxId }: PageBounds,
): KnownNotification<AccountBody>[] {
  const begin = maxId === undefined ? 0 : countFrom(entries, maxId);
  return entries.slice(begin, countFrom(entries, minId! + 1n)).reverse();
}

/** How many of the entries, which are newest first, have this id or a larger one. */
function countFrom(entries: readonly { readonly id: Id }[], id: Id): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.id >= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
