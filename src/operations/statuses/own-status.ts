/** A status of the caller, and the servers that it was delivered to. */

import { reactingAccounts } from '../../actors/account/interactions/interactions.queries.ts';
import { quotingAccounts } from '../../actors/account/quotes/quotes.queries.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { StatusView } from '../../actors/account/status-views.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { repliesTo } from '../../actors/account/statuses/threads.queries.ts';
import type { Destination } from '../../actors/intents.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import { destinationsOfAccounts } from '../../federation/destinations.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Services } from '../../services/services.ts';
import type { AccountCaller } from '../caller.ts';
import type { OperationContext } from '../operation.ts';
import { visibleStatus } from './visible-status.ts';

/** Throws notFound for any other, whether it exists or not; staff have no exception here. */
export function ownStatus(services: Services, statusId: Id, accountId: Id): StatusView {
  const view = visibleStatus(services, statusId, accountId);
  if (view.status.accountId !== accountId) throw new Failure('notFound');
  return view;
}

/** The same, for `on`. */
export function onOwnStatus(
  { caller, services }: OperationContext<AccountCaller>,
  { statusId }: { statusId: Id },
): StatusView {
  return ownStatus(services, statusId, caller.accountId);
}

/** Accounts examined per kind of interaction, for servers that have the status; and how many between two pauses. */
const interactionsMax = 500;
const examinedPerSlice = 64;

/**
 * The destinations of a status besides followers: the remote accounts that it mentions and, where it is public or
 * unlisted, those that earlier versions mention, and those that it replies to or quotes; and the servers of accounts that
 * reblogged, favourited, answered or quoted it, each once. In slices (see TimeSlices): those may be many.
 */
export function* destinationsOfStatus(
  { snapshots }: Pick<Services, 'snapshots'>,
  status: Status,
): Generator<undefined, Destination[]> {
  if (status.localOnly === true) return [];
  const { id, mentions, formerlyMentioned = [], inReplyToAccountId, quote, heldReply } = status;
  // Only whoever was asked has it.
  if (heldReply !== undefined)
    return destinationsOfAccounts(snapshots, heldReply.askedId === undefined ? [] : [heldReply.askedId]);
  const concerned = new Set(mentions.map((mention) => mention.id));
  if (!isForEverybody(status)) return destinationsOfAccounts(snapshots, [...concerned]);
  for (const accountId of formerlyMentioned) concerned.add(accountId);
  if (inReplyToAccountId !== undefined) concerned.add(inReplyToAccountId);
  if (quote !== undefined) concerned.add(quote.accountId);
  return yield* withInteracting(snapshots, id, destinationsOfAccounts(snapshots, [...concerned]));
}

/**
 * Of its deletion, whatever its visibility: it contains nothing of the status, and also servers of accounts that are no
 * longer mentioned, or no longer follow, have a copy to remove.
 */
export function* destinationsOfDeletion(
  services: Pick<Services, 'snapshots'>,
  status: Status,
): Generator<undefined, Destination[]> {
  const { snapshots } = services;
  const destinations = yield* destinationsOfStatus(services, status);
  const inboxes = new Set(destinations.map(({ inbox }) => inbox));
  const former = destinationsOfAccounts(snapshots, status.formerlyMentioned ?? []);
  const all = [...destinations, ...former.filter(({ inbox }) => !inboxes.has(inbox))];
  return isForEverybody(status) ? all : yield* withInteracting(snapshots, status.id, all);
}

/** Adds the servers of accounts that reblogged, favourited, answered or quoted a status. */
function* withInteracting(
  reader: Reader,
  statusId: Id,
  known: readonly Destination[],
): Generator<undefined, Destination[]> {
  const destinations = [...known];
  const hosts = new Set(destinations.map(({ host }) => host));
  const interacting = [...(yield* interactingAccounts(reader, statusId))];
  for (let index = 0; index < interacting.length; index += examinedPerSlice) {
    if (index > 0) yield;
    for (const destination of destinationsOfAccounts(reader, interacting.slice(index, index + examinedPerSlice))) {
      if (hosts.has(destination.host)) continue;
      hosts.add(destination.host);
      destinations.push(destination);
    }
  }
  return destinations;
}

function* interactingAccounts(reader: Reader, statusId: Id): Generator<undefined, ReadonlySet<Id>> {
  const found = new Set(reactingAccounts(reader, statusId, interactionsMax));
  for (const accountId of quotingAccounts(reader, statusId, interactionsMax)) found.add(accountId);
  const replyIds = repliesTo(reader, statusId, { limit: interactionsMax });
  for (const [index, replyId] of replyIds.entries()) {
    if (index % examinedPerSlice === examinedPerSlice - 1) yield;
    const reply = findStatusRecord(reader, replyId);
    if (reply !== undefined) found.add(reply.accountId);
  }
  return found;
}
