/**
 * Pages over lists ordered by id, with cursors (behaviour of the Mastodon API). `max_id` and `since_id` read from the
 * newest on, `min_id` reads upwards from itself; pages are always newest first.
 *
 * INVARIANT the next cursor is that of the last entry examined, shown or not: entries hidden from a viewer never end
 * paging.
 */
import type { Id } from '../runtime/ids.ts';
import type { RangeQuery } from '../runtime/storage/reader.ts';
import { readingLimits } from './limits.ts';

/** All three ids are excluded; `minId` wins over `sinceId`. */
export interface PageBounds {
  readonly maxId?: Id | undefined;
  readonly sinceId?: Id | undefined;
  readonly minId?: Id | undefined;
  readonly limit: number;
}

export interface Page<Item> {
  /** Newest first. */
  readonly items: Item[];
  readonly newest: Id | undefined;
  readonly oldest: Id | undefined;
  /** Whether reading stopped before the end of the list. */
  readonly full: boolean;
}

export function readsUpwards(bounds: Pick<PageBounds, 'minId'>): boolean {
  return bounds.minId !== undefined;
}

export function rangeOf(bounds: PageBounds): RangeQuery {
  const after = bounds.minId ?? bounds.sinceId;
  return {
    from: after === undefined ? undefined : after + 1n,
    until: bounds.maxId,
    reverse: !readsUpwards(bounds),
  };
}

/**
 * A page while its entries are looked at. A read is bounded, however many entries are left out: a page may be empty and
 * `full`, and its cursors continue where it stopped. Endpoints answer such a page after `readingsPerPageMax` reads; clients
 * follow its link.
 */
export class PageInMaking<Item> {
  private readonly bounds: PageBounds;
  private readonly items: Item[] = [];
  private begin: Id | undefined;
  private stop: Id | undefined;
  private looked = 0;
  private full = false;

  constructor(bounds: PageBounds) {
    this.bounds = bounds;
  }

  /** Takes the next entry in the order of `rangeOf`; `item` is undefined for one not shown. True when no more is taken. */
  take(id: Id, item: Item | undefined): boolean {
    this.stop = id;
    if (item === undefined) this.begin ??= id;
    else {
      if (this.items.length === 0) this.begin = id;
      this.items.push(item);
    }
    this.looked += 1;
    this.full = this.items.length === this.bounds.limit || this.looked === readingLimits.entriesPerPageMax;
    return this.full;
  }

  get page(): Page<Item> {
    const { items, full } = this;
    if (!readsUpwards(this.bounds)) return { items, newest: this.begin, oldest: this.stop, full };
    return { items: items.toReversed(), newest: this.stop, oldest: this.begin, full };
  }
}

/** Takes a page from entries in the order of `rangeOf`. `choose` maps each to an item, undefined for one not shown. */
export function takePage<Entry, Item>(
  entries: Iterable<Entry>,
  bounds: PageBounds,
  idOf: (entry: Entry) => Id,
  choose: (entry: Entry) => Item | undefined,
): Page<Item> {
  const making = new PageInMaking<Item>(bounds);
  for (const entry of entries) if (making.take(idOf(entry), choose(entry))) break;
  return making.page;
}
