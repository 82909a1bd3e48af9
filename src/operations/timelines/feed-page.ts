/**
 * A page of a home timeline or of that of a list, as its reader is shown it. Behind a page of which nothing is shown,
 * more entries are read at a time than one page has: an account that was just muted may have filled the whole feed.
 */
import { readingLimits } from '../../actors/limits.ts';
import { type Page, type PageBounds, readsUpwards } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { HomePage } from '../../services/feeds.ts';
import { filledPage } from './filled-page.ts';

interface Shown {
  readonly status: { readonly id: Id };
}

export interface FeedPage<Item> extends Page<Item> {
  /** False where the feed is being rebuilt and the page lacks some of it. */
  readonly complete: boolean;
}

export interface FeedReading<Item> {
  read(bounds: PageBounds): HomePage | Promise<HomePage>;
  /** Those that the reader is shown, in the same order. The ids are valid until the next page is read. */
  show(ids: BigUint64Array): Item[] | Promise<Item[]>;
}

/** Synchronous where reading and showing are, and the first page shows something. */
export function feedPage<Item extends Shown>(
  first: PageBounds,
  { read, show }: FeedReading<Item>,
): FeedPage<Item> | Promise<FeedPage<Item>> {
  let complete = true;
  const shown = (feed: HomePage, bounds: PageBounds): Page<Item> | Promise<Page<Item>> => {
    complete &&= feed.complete;
    const { ids } = feed;
    const page = { newest: ids[0], oldest: ids.at(-1), full: ids.length === bounds.limit };
    const cut = (items: Item[]) => cutPage({ ...page, items }, readsUpwards(bounds), first.limit);
    const items = show(ids);
    return items instanceof Promise ? items.then(cut) : cut(items);
  };
  const page = filledPage(first, (given) => {
    const limit = given === first ? first.limit : Math.max(first.limit, readingLimits.feedEntriesPerReading);
    const bounds = given === first ? first : { ...given, limit };
    const feed = read(bounds);
    return feed instanceof Promise ? feed.then((entries) => shown(entries, bounds)) : shown(feed, bounds);
  });
  return page instanceof Promise ? page.then((filled) => ({ ...filled, complete })) : { ...page, complete };
}

/** What is left out is behind the cursor of the page. */
function cutPage<Item extends Shown>(page: Page<Item>, upwards: boolean, countMax: number): Page<Item> {
  if (page.items.length <= countMax) return page;
  const items = upwards ? page.items.slice(-countMax) : page.items.slice(0, countMax);
  const last = (upwards ? items[0] : items.at(-1))?.status.id;
  return upwards ? { ...page, items, newest: last, full: true } : { ...page, items, oldest: last, full: true };
}
