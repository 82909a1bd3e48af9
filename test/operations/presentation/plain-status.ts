/** A reference implementation of the status entity for a viewer: read from storage, without caches. */

import { bookmarkOf } from '../../../src/actors/account/bookmarks/bookmarks.state.ts';
import { filtersOf } from '../../../src/actors/account/filters/filters.queries.ts';
import { favouriteOf, reblogOf } from '../../../src/actors/account/interactions/interactions.state.ts';
import { viewerOf } from '../../../src/actors/account/relationships/viewer.queries.ts';
import { findStatus, type StatusView } from '../../../src/actors/account/status-views.queries.ts';
import { featurePermission } from '../../../src/actors/policy/featuring.ts';
import { maySee, type Viewer } from '../../../src/actors/policy/visibility.ts';
import { accountEntity } from '../../../src/gateway/entities/account.ts';
import { pollEntity } from '../../../src/gateway/entities/poll.ts';
import { statusFields } from '../../../src/gateway/entities/status.ts';
import type { PresentationContext } from '../../../src/operations/presentation/contexts.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import type { Reader } from '../../../src/runtime/storage/reader.ts';
import type { Addresses } from '../../../src/services/addresses.ts';

interface World {
  readonly reader: Reader;
  readonly addresses: Addresses;
  readonly now: number;
}

/** Undefined for what the viewer is not shown there. */
export function plainStatus(
  world: World,
  statusId: Id,
  viewerId: Id | undefined,
  context: PresentationContext,
): object | undefined {
  const view = findStatus(world.reader, statusId);
  if (view === undefined) return undefined;
  const viewer = viewerOf(world.reader, viewerId, world.now);
  // On profiles of others, reblogs of muted accounts are left out.
  const place = context === 'account' && view.status.accountId !== viewerId ? 'profileReblog' : context;
  const isShown = shows(view, viewer, context) && (view.reblog === undefined || shows(view.reblog, viewer, place));
  return isShown ? entityOf(world, view, viewerId) : undefined;
}

const withoutMuted: readonly PresentationContext[] = ['home', 'public', 'tag', 'thread', 'stream', 'profileReblog'];
const withoutMentions: readonly PresentationContext[] = ['home', 'stream'];
const withoutLimited: readonly PresentationContext[] = ['public', 'tag', 'thread'];

function shows({ status, author }: StatusView, viewer: Viewer, context: PresentationContext): boolean {
  const { accountId } = status;
  if (!maySee(status, viewer)) return false;
  if (withoutMuted.includes(context) && viewer.mutes(accountId)) return false;
  const isHidden = (id: Id) => viewer.mutes(id) || viewer.hasBlocked(id);
  if (
    withoutMentions.includes(context) &&
    viewer.accountId !== accountId &&
    status.mentions.some(({ id }) => isHidden(id))
  )
    return false;
  if (!withoutLimited.includes(context) || !author.profile.limited) return true;
  return viewer.accountId === accountId || viewer.follows(accountId);
}

function entityOf(world: World, view: StatusView, viewerId: Id | undefined): object {
  const { addresses, reader, now } = world;
  const { status, author, tally } = view;
  const permission = featurePermission(author.profile, {
    accountId: viewerId,
    follows: (id) => viewerOf(reader, viewerId, now).follows(id),
    isFollowedBy: (id) => viewerId !== undefined && viewerOf(reader, id, now).follows(viewerId),
  });
  const account = accountEntity(author, addresses, undefined, permission);
  const parts = { tagged_collections: [], quote: null };
  const entity = { account, ...statusFields(view, addresses), ...parts };
  const { id, poll: asked, emojis } = status;
  const poll = asked === undefined ? null : pollEntity(id, asked, tally, emojis, addresses, author.profile);
  const reblog = view.reblog === undefined ? null : entityOf(world, view.reblog, viewerId);
  const quote_approval = approvalOf(world, view.reblog ?? view, viewerId);
  return { ...entity, poll, reblog, quote_approval, ...stateOf(world, view, viewerId) };
}

/** The tests have statuses that everybody may quote, followers, or nobody. */
function approvalOf({ reader, now }: World, { status }: StatusView, viewerId: Id | undefined): object {
  const automatic: readonly string[] = status.quoteApproval?.automatic ?? [];
  const follows = viewerOf(reader, viewerId, now).follows(status.accountId);
  const isAmong = automatic.includes('public') || (automatic.includes('followers') && follows);
  const isOwn = status.accountId === viewerId && status.visibility !== 'direct';
  const may = viewerId !== undefined && (isOwn || isAmong);
  return { automatic, manual: [], current_user: may ? 'automatic' : 'denied' };
}

function stateOf(world: World, view: StatusView, viewerId: Id | undefined): object {
  const { reader } = world;
  const { status, reblog } = view;
  if (viewerId === undefined) return { filtered: [] };
  const subjectId = reblog?.status.id ?? status.id;
  const canBePinned = reblog === undefined && status.visibility !== 'direct';
  return {
    favourited: reader.get(favouriteOf, [viewerId, subjectId]) !== undefined,
    reblogged: reader.get(reblogOf, [viewerId, subjectId]) !== undefined,
    muted: false,
    bookmarked: reader.get(bookmarkOf, [viewerId, subjectId]) !== undefined,
    ...(canBePinned && status.accountId === viewerId ? { pinned: false } : {}),
    filtered: filteredOf(world, reblog ?? view, viewerId),
  };
}

/** The tests have filters of one keyword each, and statuses of a few words without markup inside. */
function filteredOf({ reader, now }: World, { status }: StatusView, viewerId: Id): object[] {
  return filtersOf(reader, viewerId).flatMap(({ id, title, contexts: context, action, expiresAt, keywords }) => {
    if (expiresAt !== undefined && expiresAt <= now) return [];
    const matched = keywords.map(({ keyword }) => keyword).filter((word) => status.content.includes(word));
    const expires_at = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
    const filter = { id: id.toString(), title, context, expires_at, filter_action: action };
    return matched.length === 0 ? [] : [{ filter, keyword_matches: matched, status_matches: null }];
  });
}
