/** The lists of statuses on pages, read through queries, as the visitor may see them. */
import type { chooseBookmarks } from '../../actors/account/bookmarks/bookmarks.queries.ts';
import { choosePins } from '../../actors/account/pins/pins.queries.ts';
import { chooseQuotes } from '../../actors/account/quotes/quotes.queries.ts';
import { type Page, type PageBounds, readsUpwards } from '../../actors/pages.ts';
import { type FeedKind, readableOrigin } from '../../actors/policy/feed-access.ts';
import type { Origin, TimelineChoice } from '../../actors/timelines.queries.ts';
import type { PresentationContext } from '../../operations/presentation/contexts.ts';
import type { PresentedStatus } from '../../operations/presentation/presented-status.ts';
import { feedReaches } from '../../operations/timelines/feed-access.ts';
import { feedPage, readerFeed } from '../../operations/timelines/feed-page.ts';
import type { ReaderFeed } from '../../operations/timelines/repeated-reblogs.ts';
import type { Id } from '../../runtime/ids.ts';
import { shownStatus } from './filtered.ts';
import { webLimits } from './limits.ts';
import type { TagPart } from './tag-part.ts';
import type { MemberVisit, Visit } from './visit.ts';

export interface Listing {
  /** Newest first. */
  readonly views: readonly PresentedStatus[];
  /** The newest one that was read, shown or not. */
  readonly newest: Id | undefined;
  /** Where the next page begins, if there may be one. */
  readonly older: Id | undefined;
  /** Behind which there may be newer ones than on this page, where it is not the first. */
  readonly newer?: Id | undefined;
  /** False for a feed that is being rebuilt and lacks some of its entries. */
  readonly complete: boolean;
}

const limit = webLimits.pageStatuses;
const nothing: Listing = { views: [], newest: undefined, older: undefined, complete: true };

/** The home timeline of the signed-in account. Upwards from `minId`, where that is given. */
export function homeListing(visit: Visit, accountId: Id, bounds: Omit<PageBounds, 'limit'>): Promise<Listing> {
  return feedListing(visit, { accountId }, bounds);
}

/** The posts of the members of a list of the visitor. Throws Failure notFound for another list. */
export function memberListing(visit: MemberVisit, listId: Id, maxId: Id | undefined): Promise<Listing> {
  return feedListing(visit, { accountId: visit.account.id, listId }, { maxId });
}

async function feedListing(visit: Visit, feed: ReaderFeed, bounds: Omit<PageBounds, 'limit'>): Promise<Listing> {
  const show = (ids: BigUint64Array) => Array.from(ids).flatMap((id) => homeStatus(visit, id) ?? []);
  const page = await feedPage<PresentedStatus>({ ...bounds, limit }, { ...readerFeed(visit.services, feed), show });
  const { newest, oldest, full, complete } = page;
  if (!readsUpwards(bounds)) return { ...listed(page), newer: bounds.maxId && newest, complete };
  return { ...listed(page), older: oldest, newer: full ? newest : undefined, complete };
}

/** A status as a home timeline shows it. */
export function homeStatus(visit: Visit, id: Id): PresentedStatus | undefined {
  return shownStatus(visit, id, 'home');
}

/** Public posts: of this server, of others, or of all; of these what the visitor may read. */
export function publicListing(visit: Visit, choice: TimelineChoice, bounds: PageBounds): Listing {
  const origin = readableIn(visit, 'live', choice.origin);
  if (origin === undefined) return nothing;
  const { timelines } = visit.services;
  return listed(timelines.public({ ...choice, origin }, visit.viewer, bounds, shownIn(visit, 'public')));
}

/** The part of the public posts that the visitor may read; undefined for none. */
export function readableIn({ services, account }: Visit, kind: FeedKind, asked: Origin): Origin | undefined {
  return readableOrigin(asked, feedReaches(services, account?.id)[kind]);
}

export function tagListing(visit: Visit, { tags, localOnly, onlyMedia }: TagPart, maxId: Id | undefined): Listing {
  const origin = readableIn(visit, 'topic', localOnly ? 'local' : 'all');
  if (origin === undefined) return nothing;
  const { timelines } = visit.services;
  const choice = { origin, onlyMedia };
  return listed(timelines.tag(tags, choice, visit.viewer, { maxId, limit }, shownIn(visit, 'tag')));
}

/** Public posts with a link. */
export function linkListing(visit: Visit, url: string, maxId: Id | undefined): Listing {
  const origin = readableIn(visit, 'topic', 'all');
  if (origin === undefined) return nothing;
  const { timelines } = visit.services;
  return listed(timelines.link(url, origin, visit.viewer, { maxId, limit }, shownIn(visit, 'public')));
}

/** Which posts of an account. */
export interface AccountPart {
  /** Including replies to others. */
  readonly withReplies: boolean;
  readonly withoutReblogs?: boolean;
  readonly onlyMedia?: boolean;
  /** The normalised name of a tag that they must have. */
  readonly tagged?: string;
}

export function accountListing(visit: Visit, accountId: Id, part: AccountPart, bounds: PageBounds): Listing {
  const { timelines } = visit.services;
  const { withReplies, withoutReblogs = false, onlyMedia = false, tagged } = part;
  const choice = { excludeReplies: !withReplies, excludeReblogs: withoutReblogs, onlyMedia, tagged };
  const show = (id: Id) => {
    const view = shownStatus(visit, id, 'account');
    return tagged === undefined || view?.status.tags.some(({ name }) => name === tagged) ? view : undefined;
  };
  return listed(timelines.ofAccount({ accountId, choice, viewer: visit.viewer }, bounds, show));
}

/** A private list of the visitor, in the order of its entries. */
export function keptListing(
  visit: MemberVisit,
  choose: typeof chooseBookmarks<PresentedStatus>,
  maxId: Id | undefined,
): Listing {
  const { services, account } = visit;
  return listed(choose(services.snapshots, account.id, { maxId, limit }, shownIn(visit, 'single')));
}

/** The posts that quote one, newest first. */
export function quotesListing(visit: Visit, statusId: Id, maxId: Id | undefined): Listing {
  return listed(chooseQuotes(visit.services.snapshots, statusId, { maxId, limit }, shownIn(visit, 'thread')));
}

/** The pinned posts of an account. */
export function pinnedStatuses(visit: Visit, accountId: Id): readonly PresentedStatus[] {
  return choosePins(visit.services.snapshots, accountId, { limit }, shownIn(visit, 'account')).items;
}

function shownIn(visit: Visit, place: PresentationContext) {
  return (id: Id): PresentedStatus | undefined => shownStatus(visit, id, place);
}

function listed({ items, full, newest, oldest }: Page<PresentedStatus>): Listing {
  return { views: items, newest, older: full ? oldest : undefined, complete: true };
}
