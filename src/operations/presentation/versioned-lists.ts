/**
 * Caches the newest entries of an account's lists. The account counts every change of a list in a version, so a cached
 * page costs one read of that version, which is not even decoded where it is the one read before. When entries were only
 * added since, only the added ones are read. A damaged record that is deleted by command counts as no change: the lists are
 * read anew where events may have been lost.
 */
import { type PageBounds, readsUpwards } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { EventHub } from '../../services/event-hub.ts';
import { ByteCache, type CacheEntry } from './byte-cache.ts';

export interface Versions {
  readonly version: number;
  /** Since this version entries were only added at the top and removed at the end. */
  readonly appendedSince: number;
}

export interface VersionedListsOptions<Entry> {
  readonly events: Pick<EventHub, 'onLoss'>;
  /** For all cached lists. */
  readonly bytesMax: number;
  /** Approximate memory of an entry with everything cached with it. */
  readonly entryBytes: number;
  /** Entries read at first, entries read at once when older ones are requested, and entries cached then. */
  readonly readFirst: number;
  readonly readNext: number;
  readonly keptMax: number;
  /** The stored bytes of the versions: as long as they are equal, nothing has changed. Valid until the next call. */
  storedVersions(accountId: Id): Uint8Array;
  versionsOf(accountId: Id): Versions;
  /** Reads a list within the bounds; their limit is ignored. */
  read(accountId: Id, bounds: PageBounds): Iterable<Entry>;
  /** Whether an entry that is cached is still what is stored under its id. */
  isSame(cached: Entry, stored: Entry): boolean;
}

/** About the memory of a list. */
const listBytes = 500;
const nothing = Buffer.alloc(0);

interface Listed {
  readonly id: Id;
}

/**
 * Adjacent entries of a list, from one index until before another: a generator that yields each of them costs more than
 * looking at it (measured). They stay where they are: cached lists only grow.
 */
export interface Stretch<Entry> {
  readonly entries: readonly Entry[];
  readonly from: number;
  readonly until: number;
}

/** One version of a list: after a counted change there is a new object. */
export class CachedList<Entry extends Listed> implements CacheEntry {
  readonly accountId: Id;
  readonly version: number;
  /** Newest first. */
  readonly entries: Entry[];
  /** Whether the account has no other entries. */
  isWhole: boolean;
  private readonly entryBytes: number;
  private storedVersions = nothing;

  constructor(accountId: Id, version: number, entries: Entry[], isWhole: boolean, entryBytes: number) {
    this.accountId = accountId;
    this.version = version;
    this.entries = entries;
    this.isWhole = isWhole;
    this.entryBytes = entryBytes;
  }

  get bytes(): number {
    return listBytes + this.storedVersions.length + this.entries.length * this.entryBytes;
  }

  /** Whether the versions are still stored with these bytes. */
  isStoredAs(versions: Uint8Array): boolean {
    return this.storedVersions.equals(versions);
  }

  keepStored(versions: Uint8Array): void {
    this.storedVersions = Buffer.allocUnsafeSlow(versions.length);
    this.storedVersions.set(versions);
  }

  get oldestId(): Id | undefined {
    return this.entries.at(-1)?.id;
  }
}

export class VersionedLists<Entry extends Listed> {
  private readonly options: VersionedListsOptions<Entry>;
  private readonly lists: ByteCache<CachedList<Entry>>;

  constructor(options: VersionedListsOptions<Entry>) {
    this.options = options;
    this.lists = new ByteCache(options.bytesMax);
    options.events.onLoss(() => this.lists.clear());
  }

  get bytes(): number {
    return this.lists.bytes;
  }

  /** The current list. */
  current(accountId: Id): CachedList<Entry> {
    const known = this.lists.get(accountId);
    const stored = this.options.storedVersions(accountId);
    if (known?.isStoredAs(stored)) return known;
    const list = this.changed(accountId, known);
    this.lists.delete(accountId);
    list.keepStored(stored);
    this.lists.set(accountId, list);
    return list;
  }

  /** The current list within the bounds; their limit is ignored. Valid until other work of the thread begins. */
  *stretches(list: CachedList<Entry>, bounds: PageBounds): Generator<Stretch<Entry>> {
    const { accountId, oldestId, isWhole } = list;
    if (!readsUpwards(bounds)) yield* this.newestFirst(list, bounds);
    else if (isWhole || (oldestId !== undefined && bounds.minId! >= oldestId))
      yield stretchOf(oldestFirst(list.entries, bounds));
    else yield* storedStretches(this.options.read(accountId, bounds));
  }

  private *newestFirst(list: CachedList<Entry>, bounds: PageBounds): Generator<Stretch<Entry>> {
    const { accountId, entries } = list;
    const { maxId, sinceId } = bounds;
    let from = maxId === undefined ? 0 : countFrom(entries, maxId);
    for (;;) {
      const until = sinceId === undefined ? entries.length : countFrom(entries, sinceId + 1n);
      if (from < until) yield { entries, from, until };
      if (list.isWhole || until < entries.length) return;
      if (entries.length >= this.options.keptMax) break;
      from = entries.length;
      this.extend(list);
      if (maxId !== undefined) from = Math.max(from, countFrom(entries, maxId));
    }
    const { oldestId } = list;
    const before = maxId === undefined || (oldestId !== undefined && oldestId < maxId) ? oldestId : maxId;
    yield* storedStretches(this.options.read(accountId, { ...bounds, maxId: before }));
  }

  /** The same list where the version is the same: other things are counted in its record as well. */
  private changed(accountId: Id, known: CachedList<Entry> | undefined): CachedList<Entry> {
    const { version, appendedSince } = this.options.versionsOf(accountId);
    if (known?.version === version) return known;
    return this.continued(accountId, known, version, appendedSince) ?? this.read(accountId, version, known);
  }

  /** Reuses cached entries that are unchanged, together with everything cached with them. */
  private read(accountId: Id, version: number, before: CachedList<Entry> | undefined): CachedList<Entry> {
    const { readFirst, entryBytes, isSame } = this.options;
    const cached = new Map(before?.entries.map((entry) => [entry.id, entry]));
    const entries = this.take(accountId, { limit: readFirst }).map((stored) => {
      const entry = cached.get(stored.id);
      return entry !== undefined && isSame(entry, stored) ? entry : stored;
    });
    return new CachedList(accountId, version, entries, entries.length < readFirst, entryBytes);
  }

  /**
   * The cached list with the entries added since. Undefined where anything else has changed, or where too many were
   * added.
   */
  private continued(
    accountId: Id,
    known: CachedList<Entry> | undefined,
    version: number,
    appendedSince: number,
  ): CachedList<Entry> | undefined {
    const { readFirst, keptMax, entryBytes } = this.options;
    const newestId = known?.entries[0]?.id;
    if (known === undefined || newestId === undefined || known.version < appendedSince) return undefined;
    const newer = this.take(accountId, { sinceId: newestId, limit: readFirst });
    if (newer.length === readFirst) return undefined;
    const entries = [...newer, ...known.entries];
    const isWhole = known.isWhole && entries.length <= keptMax;
    return new CachedList(accountId, version, entries.slice(0, keptMax), isWhole, entryBytes);
  }

  private extend(list: CachedList<Entry>): void {
    const { accountId } = list;
    const before = list.bytes;
    const { readNext, keptMax } = this.options;
    const limit = Math.min(readNext, keptMax - list.entries.length);
    const older = this.take(accountId, { maxId: list.oldestId, limit });
    list.entries.push(...older);
    list.isWhole = older.length < limit;
    this.lists.grew(accountId, list.bytes - before);
  }

  private take(accountId: Id, bounds: PageBounds): Entry[] {
    const entries: Entry[] = [];
    for (const entry of this.options.read(accountId, bounds)) {
      entries.push(entry);
      if (entries.length === bounds.limit) break;
    }
    return entries;
  }
}

function stretchOf<Entry>(entries: readonly Entry[]): Stretch<Entry> {
  return { entries, from: 0, until: entries.length };
}

/** One by one, because each is read when it is asked for. */
export function* storedStretches<Entry>(entries: Iterable<Entry>): Generator<Stretch<Entry>> {
  for (const entry of entries) yield stretchOf([entry]);
}

function oldestFirst<Entry extends Listed>(entries: readonly Entry[], { minId, maxId }: PageBounds): Entry[] {
  const begin = maxId === undefined ? 0 : countFrom(entries, maxId);
  return entries.slice(begin, countFrom(entries, minId! + 1n)).reverse();
}

/** How many of the entries (newest first) have this id or a higher one. */
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
