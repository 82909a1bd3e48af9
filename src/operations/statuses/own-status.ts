/** A status of the caller's own, and the servers that it was delivered to. */

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

/** Throws notFound for any other: neither is told whether it exists, nor may staff act on it here. */
export function ownStatus(services: Services, statusId: Id, accountId: Id): StatusView {
  const view = visibleStatus(services, statusId, accountId);
  if (view.status.accountId !== accountId) throw new Failure('notFound');
  return view;
}

/** Of each kind of interaction, so many are looked at for servers that have the status. */
const interactionsMax = 500;

/**
 * Where a status went, beside followers: the remote accounts that it mentions and, where all may read it, answers or quotes; and
 * the servers of those who reblogged, favourited, answered or quoted it, each once.
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
