/**
 * The newest entries of lists by time, cached until an event says that a list has changed: most reads are of the first
 * page. Older entries are read from storage.
 */
import { type PageBounds, readsUpwards } from '../../actors/pages.ts';
import type { Cacheable } from '../../runtime/events/event.ts';
import type { Id } from '../../runtime/ids.ts';
import { SizedMap } from '../../runtime/sized-map.ts';
import type { EventHub } from '../../services/event-hub.ts';
import { timelineLimits } from './limits.ts';

interface Kept<Entry> {
  /** Newest first. */
  readonly entries: readonly Entry[];
  readonly ids: BigUint64Array;
  /** Whether the list has no other entries. */
  readonly isWhole: boolean;
}

export interface RecentEntriesOptions<Key, Entry, Changed> {
  readonly events: EventHub;
  readonly bytesMax: number;
  readonly of: Cacheable<Changed>;
  /** The list that an invalidation concerns; undefined for all. */
  keyOf(changed: Changed): Key | undefined;
  /** Reads a list within the bounds; `limit` is ignored. */
  read(key: Key, bounds: PageBounds): Iterable<Entry>;
}

/** About the memory of an entry (measured). */
const entryBytes = 150;

export class RecentEntries<Key, Entry extends { readonly id: Id }, Changed> {
  private readonly options: RecentEntriesOptions<Key, Entry, Changed>;
  private readonly lists: SizedMap<Key, Kept<Entry>>;

  constructor(options: RecentEntriesOptions<Key, Entry, Changed>) {
    this.options = options;
    const bytesOf = ({ entries }: Kept<Entry>) => entries.length * entryBytes;
    this.lists = new SizedMap({ bytesMax: options.bytesMax, bytesOf });
    options.events.onInvalidation(options.of, (changed) => {
      const key = options.keyOf(changed);
      if (key === undefined) this.lists.clear();
      else this.lists.delete(key);
    });
    options.events.onLoss(() => this.lists.clear());
  }

  get bytes(): number {
    return this.lists.bytes;
  }

  /** The ids of a full page, where that is cached as a whole. */
  page(key: Key, { limit, maxId, minId, sinceId }: PageBounds): BigUint64Array | undefined {
    if (minId !== undefined || sinceId !== undefined) return undefined;
    const { ids } = this.recent(key);
    const start = maxId === undefined ? 0 : ids.findIndex((id) => id < maxId);
    return start < 0 || start + limit > ids.length ? undefined : ids.subarray(start, start + limit);
  }

  /** The entries of a list, within the bounds. */
  entries(key: Key, bounds: PageBounds): Iterable<Entry> {
    const { entries, isWhole } = this.recent(key);
    const oldest = entries.at(-1)?.id;
    const reaches = (id: Id | undefined) => isWhole || (id !== undefined && oldest !== undefined && id >= oldest);
    if (readsUpwards(bounds))
      return reaches(bounds.minId) ? within(entries, bounds).reverse() : this.options.read(key, bounds);
    if (isWhole || reaches(bounds.sinceId)) return within(entries, bounds);
    if (bounds.maxId !== undefined && !reaches(bounds.maxId)) return this.options.read(key, bounds);
    return this.andOlder(key, within(entries, bounds), { ...bounds, maxId: oldest });
  }

  private *andOlder(key: Key, recent: readonly Entry[], bounds: PageBounds): Generator<Entry> {
    yield* recent;
    yield* this.options.read(key, bounds);
  }

  private recent(key: Key): Kept<Entry> {
    const known = this.lists.get(key);
    if (known !== undefined) return known;
    const { entriesKeptMax } = timelineLimits;
    const entries: Entry[] = [];
    for (const entry of this.options.read(key, { limit: entriesKeptMax })) {
      entries.push(entry);
      if (entries.length === entriesKeptMax) break;
    }
    const ids = BigUint64Array.from(entries, ({ id }) => id);
    const kept = { entries, ids, isWhole: entries.length < entriesKeptMax };
    this.lists.set(key, kept);
    return kept;
  }
}

function within<Entry extends { readonly id: Id }>(entries: readonly Entry[], bounds: PageBounds): Entry[] {
  const { maxId } = bounds;
  const after = bounds.minId ?? bounds.sinceId;
  if (maxId === undefined && after === undefined) return [...entries];
  return entries.filter(({ id }) => (maxId === undefined || id < maxId) && (after === undefined || id > after));
}
