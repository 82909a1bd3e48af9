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

export function readsUpwards(bounds: PageBounds): boolean {
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
 * Takes a page from entries in the order of `rangeOf`. `choose` maps each entry to an item, undefined for one not
 * shown. A read is bounded, however many entries are left out: a page may be empty and `full`, and its cursors continue
 * where it stopped. Endpoints answer such a page after `readingsPerPageMax` reads; clients follow its link.
 */
export function takePage<Entry, Item>(
  entries: Iterable<Entry>,
  bounds: PageBounds,
  idOf: (entry: Entry) => Id,
  choose: (entry: Entry) => Item | undefined,
): Page<Item> {
  const items: Item[] = [];
  let begin: Id | undefined;
  let stop: Id | undefined;
  let looked = 0;
  let full = false;
  for (const entry of entries) {
    stop = idOf(entry);
    const item = choose(entry);
    if (item === undefined) begin ??= stop;
    else {
      if (items.length === 0) begin = stop;
      items.push(item);
    }
    looked += 1;
    full = items.length === bounds.limit || looked === readingLimits.entriesPerPageMax;
    if (full) break;
  }
  if (!readsUpwards(bounds)) return { items, newest: begin, oldest: stop, full };
  return { items: items.reverse(), newest: stop, oldest: begin, full };
}
