/**
 * A page of a home timeline or of that of a list, as its reader is shown it. Behind a page of which nothing is shown,
 * more entries are read at a time than one page has: an account that was just muted may have filled the whole feed.
 */
import { readingLimits } from '../../actors/limits.ts';
import { type Page, type PageBounds, readsUpwards } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { HomePage } from '../../services/feeds.ts';
import { filledPage } from './filled-page.ts';
import type { HomeTimeline } from './home-timeline.ts';
import type { ListTimeline } from './list-timeline.ts';
import type { Reblog } from './originals.ts';
import type { ReaderFeed, RepeatedReblogs } from './repeated-reblogs.ts';

interface Shown {
  readonly status: { readonly id: Id; readonly reblogOfId?: Id | undefined };
}

export interface FeedPage<Item> extends Page<Item> {
  /** False where the feed is being rebuilt and the page lacks some of it. */
  readonly complete: boolean;
}

export interface FeedReading<Item> {
  read(bounds: PageBounds): HomePage | Promise<HomePage>;
  /** Those that the reader is shown, in the same order. The ids are valid until the next page is read. */
  show(ids: BigUint64Array): Item[] | Promise<Item[]>;
  /** Those of the reblogs that the feed leaves out (`RepeatedReblogs.among`). */
  repeated(reblogs: readonly Reblog[], entries: number): ReadonlySet<Id> | Promise<ReadonlySet<Id>>;
}

export interface ReaderFeedServices {
  readonly homeTimeline: HomeTimeline;
  readonly listTimeline: ListTimeline;
  readonly repeatedReblogs: RepeatedReblogs;
}

/** How a home, or a list of its reader, is read. */
export function readerFeed(
  { homeTimeline, listTimeline, repeatedReblogs }: ReaderFeedServices,
  feed: ReaderFeed,
): Pick<FeedReading<never>, 'read' | 'repeated'> {
  const { accountId, listId } = feed;
  return {
    read: (bounds) =>
      listId === undefined ? homeTimeline.page(accountId, bounds) : listTimeline.page(accountId, listId, bounds),
    repeated: (reblogs, entries) => repeatedReblogs.among(feed, reblogs, entries),
  };
}

/** Synchronous where reading and showing are, and the first page shows something. */
export function feedPage<Item extends Shown>(
  first: PageBounds,
  reading: FeedReading<Item>,
): FeedPage<Item> | Promise<FeedPage<Item>> {
  let complete = true;
  const counted: FeedReading<Item> = {
    ...reading,
    read: (bounds) =>
      after(reading.read(bounds), (feed) => {
        complete &&= feed.complete;
        return feed;
      }),
  };
  const page = filledPage(first, (given) => {
    const limit = given === first ? first.limit : Math.max(first.limit, readingLimits.feedEntriesPerReading);
    const bounds = given === first ? first : { ...given, limit };
    return shownPage(counted, bounds, first.limit);
  });
  return after(page, (filled) => ({ ...filled, complete }));
}

/**
 * At most so many of what is shown of the entries within the bounds, without repetitions. Others are read in the place of
 * these, up to a bound: repetitions are common, unlike hidden entries, and would make many pages short.
 */
function shownPage<Item extends Shown>(
  reading: FeedReading<Item>,
  bounds: PageBounds,
  countMax: number,
  readings = 1,
): Page<Item> | Promise<Page<Item>> {
  const upwards = readsUpwards(bounds);
  return after(reading.read(bounds), ({ ids }) => {
    const entries = ids.length;
    const ends = { newest: ids[0], oldest: ids.at(-1), full: entries === bounds.limit };
    return after(reading.show(ids), (shown) => {
      const reblogs = shown.map(({ status }) => status).filter(isReblog);
      if (reblogs.length === 0) return cutPage({ ...ends, items: shown }, upwards, countMax);
      return after(reading.repeated(reblogs, entries), (repeated) => {
        const items = repeated.size === 0 ? shown : shown.filter(({ status }) => !repeated.has(status.id));
        const page = { ...ends, items };
        const missing = Math.min(shown.length, countMax) - items.length;
        if (missing <= 0 || !page.full || readings === readingLimits.readingsPerPageMax)
          return cutPage(page, upwards, countMax);
        const end = upwards ? { minId: page.newest } : { maxId: page.oldest };
        const behind = { ...bounds, ...end, limit: missing * readings };
        return after(shownPage(reading, behind, missing, readings + 1), (more) =>
          upwards ? joined(more, page, more) : joined(page, more, more),
        );
      });
    });
  });
}

function isReblog(status: Shown['status']): status is Reblog {
  return status.reblogOfId !== undefined;
}

/** `last` is the one of them that was read last. */
function joined<Item>(newer: Page<Item>, older: Page<Item>, last: Page<Item>): Page<Item> {
  return {
    items: [...newer.items, ...older.items],
    newest: newer.newest ?? older.newest,
    oldest: older.oldest ?? newer.oldest,
    full: last.full,
  };
}

/** What is left out is behind the cursor of the page. */
function cutPage<Item extends Shown>(page: Page<Item>, upwards: boolean, countMax: number): Page<Item> {
  if (page.items.length <= countMax) return page;
  const items = upwards ? page.items.slice(-countMax) : page.items.slice(0, countMax);
  const last = (upwards ? items[0] : items.at(-1))?.status.id;
  return upwards ? { ...page, items, newest: last, full: true } : { ...page, items, oldest: last, full: true };
}

/** At once where the value is there. */
function after<Value, Result>(
  value: Value | Promise<Value>,
  proceed: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(proceed) : proceed(value);
}
