/** A status of the caller, and the servers that it was delivered to. */

import { interactingAccounts } from '../../actors/account/interactions/interactions.queries.ts';
import { quotingAccounts } from '../../actors/account/quotes/quotes.queries.ts';
import type { StatusView } from '../../actors/account/statuses/statuses.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { Destination } from '../../actors/intents.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import { destinationsOfAccounts } from '../../federation/destinations.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { visibleStatus } from './visible-status.ts';

/** Throws notFound for any other, whether it exists or not; staff have no exception here. */
export function ownStatus(services: Services, statusId: Id, accountId: Id): StatusView {
  const view = visibleStatus(services, statusId, accountId);
  if (view.status.accountId !== accountId) throw new Failure('notFound');
  return view;
}

/** Per kind of interaction: accounts examined for servers that have the status. */
const interactionsMax = 500;

/**
 * The destinations of a status besides followers: the remote accounts that it mentions and, where it is public or
 * unlisted, those it replies to or quotes; and the servers of accounts that reblogged, favourited, answered or quoted
 * it, each once.
 */
export function destinationsOfStatus({ snapshots }: Services, status: Status): Destination[] {
  const { id, mentions, inReplyToAccountId, quote } = status;
  const concerned = new Set(mentions.map((mention) => mention.id));
  if (!isForEverybody(status)) return destinationsOfAccounts(snapshots, [...concerned]);
  if (inReplyToAccountId !== undefined) concerned.add(inReplyToAccountId);
  if (quote !== undefined) concerned.add(quote.accountId);
  const destinations = destinationsOfAccounts(snapshots, [...concerned]);
  const hosts = new Set(destinations.map(({ host }) => host));
  const interacting = new Set(interactingAccounts(snapshots, id, interactionsMax));
  for (const accountId of quotingAccounts(snapshots, id, interactionsMax)) interacting.add(accountId);
  for (const destination of destinationsOfAccounts(snapshots, [...interacting])) {
    if (hosts.has(destination.host)) continue;
    hosts.add(destination.host);
    destinations.push(destination);
  }
  return destinations;
}
