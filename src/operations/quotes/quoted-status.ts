/**
 * The quoted status of a new status: permission is checked before publishing; a remote author's server is asked
 * afterwards.
 */

import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import type { StatusView } from '../../actors/account/status-views.queries.ts';
import type { PublishStatus } from '../../actors/account/statuses/statuses.messages.ts';
import { isLocal } from '../../actors/account/statuses/statuses.records.ts';
import { type QuotePermission, quotePermission } from '../../actors/policy/quotes.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { findOriginal } from '../statuses/originals.ts';
import type { QuotedPage } from '../statuses/written-status.ts';

export const pollWithQuote = 'A post cannot have both a poll and a quote';

/** Whether the author lets the account quote the status, as far as known here. */
export function permissionToQuote(
  { snapshots, now }: Pick<Services, 'snapshots' | 'now'>,
  { status }: StatusView,
  accountId: Id,
): QuotePermission {
  return quotePermission(status, {
    accountId,
    follows: (authorId) => viewerOf(snapshots, accountId, now()).follows(authorId),
    isFollowedBy: (authorId) => viewerOf(snapshots, authorId, now()).follows(accountId),
  });
}

/** Throws Failure notFound, alike for a status that the account may not see and for one that it may not quote. */
export function quotableStatus(services: Services, statusId: Id, accountId: Id): StatusView {
  const view = findOriginal(services, statusId, accountId);
  const permission = view === undefined ? 'denied' : permissionToQuote(services, view, accountId);
  if (view === undefined || permission === 'denied')
    throw new Failure('notFound', {
      text: 'The post you are trying to quote does not appear to exist',
      reason: 'quotedMissing',
    });
  return view;
}

/** Local authors decide by their policy; remote ones are asked. */
export function quoteOf({ status, author }: StatusView, accountId: Id): NonNullable<PublishStatus['quote']> {
  const ends = { statusId: status.id, accountId: status.accountId };
  const destination = destinationOf(author.profile);
  if (isLocal(status) || status.accountId === accountId || destination === undefined)
    return { ...ends, state: 'accepted' };
  return { ...ends, state: 'pending', request: { uri: status.uri!, destination } };
}

export function pageOf({ addresses }: Pick<Services, 'addresses'>, { status, author }: StatusView): QuotedPage {
  const kept = status.url ?? status.uri ?? addresses.statusPath(author.profile.username, status.id);
  return { kept, shown: addresses.absolute(kept) };
}
