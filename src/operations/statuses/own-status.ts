/** A status of the caller's own, and the servers that it was delivered to. */

import { interactingAccounts } from '../../actors/account/interactions/interactions.queries.ts';
import type { StatusView } from '../../actors/account/statuses/statuses.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { Destination } from '../../actors/intents.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { destinationsOfAccounts } from '../destinations.ts';
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
 * Where a status went, beside followers: the remote accounts that it mentions and, where all may read it, answers; and the
 * servers of those who reblogged, favourited or answered it, each once.
 */
export function destinationsOfStatus({ snapshots }: Services, status: Status): Destination[] {
  const { id, mentions, inReplyToAccountId } = status;
  const concerned = new Set(mentions.map((mention) => mention.id));
  if (!isForEverybody(status)) return destinationsOfAccounts(snapshots, [...concerned]);
  if (inReplyToAccountId !== undefined) concerned.add(inReplyToAccountId);
  const destinations = destinationsOfAccounts(snapshots, [...concerned]);
  const hosts = new Set(destinations.map(({ host }) => host));
  const interacting = new Set(interactingAccounts(snapshots, id, interactionsMax));
  for (const destination of destinationsOfAccounts(snapshots, [...interacting])) {
    if (hosts.has(destination.host)) continue;
    hosts.add(destination.host);
    destinations.push(destination);
  }
  return destinations;
}
