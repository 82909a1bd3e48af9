/** GET outbox, followers, following and the featured collections of an account. */

import { featuredTagsOf } from '../../actors/account/featured-tags/featured-tags.queries.ts';
import { pinLimits } from '../../actors/account/pins/limits.ts';
import { choosePins } from '../../actors/account/pins/pins.queries.ts';
import { followedBy, followersOf, shownAccounts } from '../../actors/account/relationships/relationships.queries.ts';
import { findVisibleStatus, statusesByAccount } from '../../actors/account/status-views.queries.ts';
import { anonymous } from '../../actors/policy/visibility.ts';
import {
  orderedCollection,
  orderedPage,
  wholeCollection,
  wholeUnorderedCollection,
} from '../../federation/documents/collections.ts';
import { hashtagContext, notesContext, plainContext } from '../../federation/documents/contexts.ts';
import { hashtagDocument } from '../../federation/documents/featured-tags.ts';
import { noteDocument } from '../../federation/documents/note-document.ts';
import { activityLimits } from '../../federation/limits.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import type { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { queryValue } from '../http/parameters/urlencoded.ts';
import { jsonAnswer } from './answers.ts';
import { localAccount } from './find.ts';
import { activityOfStatus } from './status.ts';

const everything = { excludeReplies: false, excludeReblogs: false, onlyMedia: false };

/** Undefined for the collection itself; otherwise the requested page, with the id before which it ends. */
function pageOf(request: RawContext<Services>['request']): { before: Id | undefined } | undefined {
  if (queryValue(request.query, 'page') !== 'true') return undefined;
  return { before: parseId(queryValue(request.query, 'max_id') ?? '') };
}

function pageAddress(collection: string, before: Id | undefined): string {
  return before === undefined ? `${collection}?page=true` : `${collection}?page=true&max_id=${before}`;
}

/** Public and unlisted statuses, newest first. */
export function getOutbox({ request, services, pathParameters }: RawContext<Services>): Answer {
  const { profile, counters } = localAccount(services.snapshots, pathParameters.name);
  const id = services.addresses.outbox(profile.username);
  const asked = pageOf(request);
  if (asked === undefined) {
    const collection = orderedCollection(id, counters.statuses, pageAddress(id, undefined));
    return jsonAnswer(request, { '@context': plainContext, ...collection });
  }
  const bounds = { maxId: asked.before, limit: activityLimits.outboxPageMax };
  const wanted = { accountId: profile.id, choice: everything, viewer: anonymous };
  const page = statusesByAccount(services.snapshots, wanted, bounds);
  const items: JsonObject[] = [];
  for (const { status } of page.items) {
    const activity = activityOfStatus(services, status, profile.username);
    if (activity !== undefined) items.push(activity);
  }
  const next = page.full && page.oldest !== undefined ? pageAddress(id, page.oldest) : undefined;
  const document = orderedPage({ id: pageAddress(id, asked.before), partOf: id, items, next });
  return jsonAnswer(request, { '@context': notesContext, ...document });
}

export function getFollowers(context: RawContext<Services>): Answer {
  return accountCollection(context, 'followers');
}

export function getFollowing(context: RawContext<Services>): Answer {
  return accountCollection(context, 'following');
}

/** A hidden list shows only its total. */
function accountCollection(
  { request, services, pathParameters }: RawContext<Services>,
  list: 'followers' | 'following',
): Answer {
  const { snapshots, addresses } = services;
  const { profile, counters } = localAccount(snapshots, pathParameters.name);
  const id = addresses[list](profile.username);
  const asked = pageOf(request);
  if (asked === undefined || profile.hideCollections) {
    const first = profile.hideCollections ? undefined : pageAddress(id, undefined);
    return jsonAnswer(request, { '@context': plainContext, ...orderedCollection(id, counters[list], first) });
  }
  const read = list === 'followers' ? followersOf : followedBy;
  const bounds = { maxId: asked.before, limit: activityLimits.accountsPageMax };
  const page = read(snapshots, profile.id, shownAccounts(snapshots, anonymous), bounds);
  const items = page.items.map((account) => account.profile.remote?.uri ?? addresses.actor(account.profile.username));
  const next = page.full && page.oldest !== undefined ? pageAddress(id, page.oldest) : undefined;
  const document = orderedPage({ id: pageAddress(id, asked.before), partOf: id, items, next });
  return jsonAnswer(request, { '@context': plainContext, ...document });
}

/**
 * Pinned statuses that are public or unlisted, latest pin first; complete, so that nothing else has to be requested.
 */
export function getFeatured({ request, services, pathParameters }: RawContext<Services>): Answer {
  const { snapshots, addresses } = services;
  const { profile } = localAccount(snapshots, pathParameters.name);
  const bounds = { limit: pinLimits.perLocalAccountMax };
  const { items } = choosePins(snapshots, profile.id, bounds, (statusId) => {
    const view = findVisibleStatus(snapshots, statusId, anonymous);
    return view && noteDocument(snapshots, addresses, view.status, profile.username);
  });
  const featured = wholeCollection(addresses.featured(profile.username), items);
  return jsonAnswer(request, { '@context': notesContext, ...featured });
}

/** The tags that the account features. */
export function getFeaturedTags({ request, services, pathParameters }: RawContext<Services>): Answer {
  const { snapshots, addresses } = services;
  const { id, username } = localAccount(snapshots, pathParameters.name).profile;
  const items = featuredTagsOf(snapshots, id).map((tag) => hashtagDocument(addresses, username, tag));
  const collection = wholeUnorderedCollection(addresses.featuredTags(username), items);
  return jsonAnswer(request, { '@context': hashtagContext, ...collection });
}
