/** GET /users/NAME/statuses/ID, its activity and its replies; for servers also /@NAME/ID. */

import type { AccountView } from '../../actors/account/profile/profiles.queries.ts';
import { authorizedQuote } from '../../actors/account/quotes/quotes.queries.ts';
import { findStatusRecord, replyIdsOf } from '../../actors/account/remote/federation.queries.ts';
import { authorizedReply } from '../../actors/account/reply-requests/reply-requests.queries.ts';
import { countersOf } from '../../actors/account/statuses/statuses.queries.ts';
import type { Status, StatusCounters } from '../../actors/account/statuses/statuses.records.ts';
import { releasedFormOf } from '../../actors/policy/held-replies.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import { activityPubOf } from '../../federation/activitypub.ts';
import { statusKey } from '../../federation/document-cache.ts';
import { announceActivity, createActivity } from '../../federation/documents/activities.ts';
import { totalCollection, unorderedPage } from '../../federation/documents/collections.ts';
import {
  contextOfNote,
  plainContext,
  quoteAuthorizationContext,
  replyAuthorizationContext,
} from '../../federation/documents/contexts.ts';
import { accountAddress, noteDocument } from '../../federation/documents/note-document.ts';
import { quoteAuthorization, statusAddress } from '../../federation/documents/quote-documents.ts';
import { replyAuthorization } from '../../federation/documents/reply-documents.ts';
import { activityLimits } from '../../federation/limits.ts';
import { likesAddress, repliesAddress, sharesAddress } from '../../federation/local-addresses.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { Failure } from '../../runtime/errors.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import type { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { queryValue } from '../http/parameters/urlencoded.ts';
import { documentAnswer, jsonAnswer } from './answers.ts';
import { localAccount, localStatus } from './find.ts';
import { assertMayHave } from './visibility.ts';

type Render = (
  services: Services,
  status: Status,
  account: AccountView,
  request: RawContext<Services>['request'],
) => Answer;

/** Finds the status of the path, verifies that the requester may have it, and renders it. */
function serve(context: RawContext<Services>, render: Render): Answer | Promise<Answer> {
  const { request, services, pathParameters } = context;
  const account = localAccount(services.snapshots, pathParameters.name);
  const status = localStatus(services.snapshots, account.profile, pathParameters.id);
  if (isForEverybody(status)) return render(services, status, account, request);
  return assertMayHave(request, services, status).then(() => {
    const { profile } = account;
    return render(services, localStatus(services.snapshots, profile, pathParameters.id), account, request);
  });
}

export function getStatus(context: RawContext<Services>): Answer | Promise<Answer> {
  return serve(context, (services, status, { profile }, request) => {
    // A reblog is an activity and not an object.
    if (status.reblogOfId !== undefined) throw new Failure('notFound');
    const { addresses, snapshots } = services;
    const make = () => ({
      '@context': contextOfNote(status),
      ...noteDocument(snapshots, addresses, releasedFormOf(status), profile.username, {
        selfReplies: selfReplies(services, status),
        counters: countersOf(snapshots, status.id),
      }),
    });
    if (!isForEverybody(status)) return jsonAnswer(request, make(), false);
    return documentAnswer(request, activityPubOf(services).documents.get(statusKey(status.id), make));
  });
}

export function getStatusActivity(context: RawContext<Services>): Answer | Promise<Answer> {
  return serve(context, (services, status, account, request) => {
    const activity = activityOfStatus(services, status, account.profile.username);
    if (activity === undefined) throw new Failure('notFound');
    return jsonAnswer(request, { '@context': contextOfNote(status), ...activity }, isForEverybody(status));
  });
}

/**
 * The authorization for a status to quote one of the account: public, because all servers that show the quote need it.
 */
export function getQuoteAuthorization({ request, services, pathParameters }: RawContext<Services>): Answer {
  const { snapshots, addresses } = services;
  const { profile } = localAccount(snapshots, pathParameters.name);
  const quoteId = parseId(pathParameters.id ?? '');
  const statusId = quoteId === undefined ? undefined : authorizedQuote(snapshots, profile.id, quoteId);
  if (quoteId === undefined || statusId === undefined) throw new Failure('notFound');
  const document = quoteAuthorization(snapshots, addresses, profile.username, statusId, quoteId);
  if (document === undefined) throw new Failure('notFound');
  return jsonAnswer(request, { '@context': quoteAuthorizationContext, ...document });
}

/** The consent to a reply to one of the account's statuses: public, because all servers that show the reply need it. */
export function getReplyAuthorization({ request, services, pathParameters }: RawContext<Services>): Answer {
  const { snapshots, addresses } = services;
  const { profile } = localAccount(snapshots, pathParameters.name);
  const replyId = parseId(pathParameters.id ?? '');
  const statusId = replyId === undefined ? undefined : authorizedReply(snapshots, profile.id, replyId);
  if (replyId === undefined || statusId === undefined) throw new Failure('notFound');
  const document = replyAuthorization(snapshots, addresses, profile.username, statusId, replyId);
  if (document === undefined) throw new Failure('notFound');
  return jsonAnswer(request, { '@context': replyAuthorizationContext, ...document });
}

/** The Create of a status, the Announce of a reblog; undefined where the original was deleted. */
export function activityOfStatus(services: Services, status: Status, username: string): JsonObject | undefined {
  const { addresses, snapshots } = services;
  const { reblogOfId, reblogOfAccountId } = status;
  if (reblogOfId === undefined || reblogOfAccountId === undefined)
    return createActivity(snapshots, addresses, status, username);
  const object = statusAddress(snapshots, addresses, reblogOfId);
  const author = accountAddress(snapshots, addresses, reblogOfAccountId);
  if (object === undefined || author === undefined) return undefined;
  return announceActivity(addresses, username, { reblogId: status.id, visibility: status.visibility, object, author });
}

/** How many have favourited it, and not who. */
export function getLikes(context: RawContext<Services>): Answer | Promise<Answer> {
  return serveTotal(context, likesAddress, ({ favourites }) => favourites);
}

export function getShares(context: RawContext<Services>): Answer | Promise<Answer> {
  return serveTotal(context, sharesAddress, ({ reblogs }) => reblogs);
}

function serveTotal(
  context: RawContext<Services>,
  addressOf: typeof likesAddress,
  totalOf: (counters: StatusCounters) => number,
): Answer | Promise<Answer> {
  return serve(context, ({ snapshots, addresses }, status, { profile }, request) => {
    if (status.reblogOfId !== undefined) throw new Failure('notFound');
    const id = addressOf(addresses, profile.username, status.id);
    const total = totalOf(countersOf(snapshots, status.id));
    return jsonAnswer(request, { '@context': plainContext, ...totalCollection(id, total) }, isForEverybody(status));
  });
}

/**
 * Replies to a status: the author's own first, in the status' document; then, page by page, all public and unlisted
 * ones.
 */
export function getReplies(context: RawContext<Services>): Answer | Promise<Answer> {
  return serve(context, (services, status, { profile }, request) => {
    const id = repliesAddress(services.addresses, profile.username, status.id);
    const isPage = queryValue(request.query, 'page') === 'true';
    const page = isPage
      ? repliesPage(services, status, id, parseId(queryValue(request.query, 'min_id') ?? ''))
      : {
          ...totalCollection(id, countersOf(services.snapshots, status.id).replies),
          first: { ...repliesPage(services, status, id, undefined) },
        };
    return jsonAnswer(request, { '@context': plainContext, ...page }, isForEverybody(status));
  });
}

function repliesPage(
  { snapshots, addresses }: Services,
  status: Status,
  partOf: string,
  after: Id | undefined,
): JsonObject {
  const ids = replyIdsOf(snapshots, status.id, after, activityLimits.repliesPageMax);
  const items: string[] = [];
  for (const replyId of ids) {
    const reply = findStatusRecord(snapshots, replyId);
    const address =
      reply === undefined || !isForEverybody(reply) ? undefined : statusAddress(snapshots, addresses, replyId);
    if (address !== undefined) items.push(address);
  }
  const last = ids.length < activityLimits.repliesPageMax ? undefined : ids.at(-1);
  const id = after === undefined ? `${partOf}?page=true` : `${partOf}?page=true&min_id=${after}`;
  return unorderedPage({
    id,
    partOf,
    items,
    next: last === undefined ? undefined : `${partOf}?page=true&min_id=${last}`,
  });
}

function selfReplies({ snapshots, addresses }: Services, status: Status): string[] {
  const own: string[] = [];
  for (const replyId of replyIdsOf(snapshots, status.id, undefined, activityLimits.repliesPageMax)) {
    if (own.length === activityLimits.selfRepliesMax) break;
    const reply = findStatusRecord(snapshots, replyId);
    if (reply === undefined || reply.accountId !== status.accountId || !isForEverybody(reply)) continue;
    const address = statusAddress(snapshots, addresses, replyId);
    if (address !== undefined) own.push(address);
  }
  return own;
}
