/** The lists of statuses that pages show, read through the queries, as the visitor may see them. */
import { statusesByAccount } from '../../actors/account/statuses/account-statuses.queries.ts';
import { findVisibleStatus, type StatusView } from '../../actors/account/statuses/statuses.queries.ts';
import type { Page } from '../../actors/pages.ts';
import { readPublicTimeline, readTagTimeline } from '../../actors/timelines.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import { webLimits } from './limits.ts';
import type { Visit } from './visit.ts';

export interface Listing {
  /** Newest first. */
  readonly views: readonly StatusView[];
  /** Of all that was looked at, also what is not shown. */
  readonly newest: Id | undefined;
  /** Where the next page begins, when there may be one. */
  readonly older: Id | undefined;
}

const limit = webLimits.pageStatuses;
const localChoice = { origin: 'local', onlyMedia: false } as const;
const everywhere = { origin: 'all', onlyMedia: false } as const;

/** The home timeline of the account that is signed in. */
export async function homeListing(visit: Visit, accountId: Id, maxId: Id | undefined): Promise<Listing> {
  const home = visit.services.feeds.home(accountId, { maxId, limit });
  // What is here at once lasts only until another page is read.
  const ids = Array.from((home instanceof Promise ? await home : home).ids);
  return {
    views: ids.flatMap((id) => homeStatus(visit, id) ?? []),
    newest: ids[0],
    older: ids.length < limit ? undefined : ids.at(-1),
  };
}

/** A status as a home timeline shows it: nothing of those whom the visitor has muted. */
export function homeStatus({ services, viewer }: Visit, id: Id): StatusView | undefined {
  const view = findVisibleStatus(services.snapshots, id, viewer);
  if (view === undefined || viewer.mutes(view.status.accountId)) return undefined;
  return view.reblog !== undefined && viewer.mutes(view.reblog.status.accountId) ? undefined : view;
}

/** What people of this server posted for everybody. */
export function publicListing(visit: Visit, maxId: Id | undefined): Listing {
  const { services, viewer } = visit;
  return listed(visit, readPublicTimeline(services.snapshots, localChoice, viewer, { maxId, limit }));
}

/** `name` is normalised. */
export function tagListing(visit: Visit, name: string, maxId: Id | undefined): Listing {
  const { services, viewer } = visit;
  const tags = { any: [name], all: [], none: [] };
  return listed(visit, readTagTimeline(services.snapshots, tags, everywhere, viewer, { maxId, limit }));
}

/** Limited accounts are shown to their followers only. */
function listed({ services, viewer }: Visit, { items, full, newest, oldest }: Page<Id>): Listing {
  const views = items.flatMap((id) => {
    const view = findVisibleStatus(services.snapshots, id, viewer);
    if (view === undefined) return [];
    const { id: authorId, limited } = view.author.profile;
    return limited && authorId !== viewer.accountId && !viewer.follows(authorId) ? [] : [view];
  });
  return { views, newest, older: full ? oldest : undefined };
}

export function accountListing(
  { services, viewer }: Visit,
  accountId: Id,
  withReplies: boolean,
  maxId: Id | undefined,
): Listing {
  const choice = { excludeReplies: !withReplies, excludeReblogs: false, onlyMedia: false };
  const page = statusesByAccount(services.snapshots, accountId, choice, viewer, { maxId, limit });
  return { views: page.items, newest: page.newest, older: page.full ? page.oldest : undefined };
}
