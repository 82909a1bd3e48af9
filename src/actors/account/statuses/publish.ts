/** Publishing a status of a local account (specification 6.2: Create, to followers and to mentioned accounts). */

import type { BodyOf, DelegatedReply, Envelope } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Destination } from '../../intents.ts';
import { newStatus } from '../../policy/new-status.ts';
import { isForEverybody, reachOf } from '../../policy/visibility.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { continueConversation } from '../conversations/store-conversation.ts';
import { statusHooks } from '../hooks-of-statuses.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { distinctDestinations, tellFollowers } from '../relationships/follower-distribution.ts';
import { noteInteraction } from '../suggestions/note-interaction.ts';
import { deliverStatus } from './deliver-status.ts';
import { statusLimits } from './limits.ts';
import { factsOf } from './status-facts.ts';
import { statusPublished } from './statuses.events.ts';
import type { PublishedStatus, PublishStatus } from './statuses.messages.ts';
import { statusOfIdempotencyKey } from './statuses.queries.ts';
import { type Status, threadOf } from './statuses.records.ts';
import { idempotencyKeys, statuses } from './statuses.state.ts';
import { storeStatus } from './store-status.ts';
import { askForConsent, type Concerned, tellConcerned, tellOfParts, tellParent } from './tell-concerned.ts';

const { idempotencyMilliseconds } = statusLimits;

/**
 * Stores the status and informs everybody concerned. Repeated with the same idempotency key it returns the first
 * status. Where the status replies to or mentions a local account, that account gives the reply, one commit later.
 */
export function publish(turn: AccountTurn, message: PublishStatus): PublishedStatus | DelegatedReply {
  if (ownProfile(turn).suspendedAt !== undefined) throw new Failure('forbidden');
  const repeated = publishedBefore(turn, message.idempotencyKey);
  if (repeated !== undefined)
    return answer(turn, { statusId: repeated.id, isRepeated: true }, tellParent(turn, repeated, { isRepeated: true }));

  const status = newStatus(message, turn.nextId(), turn.self.key);
  const facts = factsOf(status);
  storeStatus(turn, status, facts);
  turn.emit(statusPublished, facts);
  tellFollowers(turn, 'arrived', facts);
  if (message.idempotencyKey !== undefined) rememberKey(turn, message.idempotencyKey, status.id);
  if (status.heldReply !== undefined)
    return answer(turn, { statusId: status.id }, askForConsent(turn, status, message));
  if (status.inReplyToAccountId !== undefined) noteInteraction(turn, status.inReplyToAccountId, 'reply', status.id);
  if (status.visibility === 'direct') continueConversation(turn, threadOf(status), status.id, false);
  const last = tellConcerned(turn, status, localMentions(turn, message));
  deliverStatus(
    turn,
    status,
    { kind: 'create', actorId: status.accountId, activityId: status.id, statusId: status.id },
    { ...reachOf(status), destinations: destinationsOf(message) },
  );
  return answer(turn, { statusId: status.id }, tellOfParts(turn, status, last, message));
}

function publishedBefore(turn: AccountTurn, key: string | undefined): Status | undefined {
  const known = key === undefined ? undefined : statusOfIdempotencyKey(turn, turn.self.key, key);
  return known === undefined ? undefined : turn.get(statuses, [known]);
}

function localMentions(turn: AccountTurn, { mentions }: PublishStatus): Concerned[] {
  return mentions.flatMap(({ mention: { id }, destination, isBelow }) =>
    destination === undefined && id !== turn.self.key ? [{ id, isBelow }] : [],
  );
}

function answer(
  turn: AccountTurn,
  published: PublishedStatus,
  last: Envelope<PublishedStatus> | undefined,
): PublishedStatus | DelegatedReply {
  return last === undefined ? published : turn.delegateReply(last);
}

/** The author of the parent, where not mentioned, is not addressed and gets only public and unlisted replies. */
function destinationsOf(message: PublishStatus): Destination[] {
  const destinations = message.mentions.flatMap(({ destination }) => destination ?? []);
  if (isForEverybody(message)) {
    if (message.inReplyToDestination !== undefined) destinations.push(message.inReplyToDestination);
    for (const part of statusHooks) destinations.push(...(part.destinations?.(message) ?? []));
  }
  return distinctDestinations(destinations);
}

export function rememberKey(turn: AccountTurn, key: string, statusId: Id): void {
  turn.put(idempotencyKeys, [turn.self.key, key], { statusId, at: turn.now });
  turn.schedule(turn.now + idempotencyMilliseconds, Account.forgetIdempotencyKey.to(turn.self.key, { key }));
}

/** The timer of an earlier use, whose status was deleted, leaves a later use its own hour. */
export function forgetIdempotencyKey(
  turn: AccountTurn,
  { key }: BodyOf<typeof Account.forgetIdempotencyKey>,
): undefined {
  const known = turn.get(idempotencyKeys, [turn.self.key, key]);
  if (known === undefined || known.at + idempotencyMilliseconds > turn.now) return;
  turn.delete(idempotencyKeys, [turn.self.key, key]);
}
