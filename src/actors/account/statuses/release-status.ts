/** Publishes a reply that had to wait, under the id and with the time that it has; or leaves it to its author alone. */
import type { Id } from '../../../runtime/ids.ts';
import type { Destination } from '../../intents.ts';
import { tellWebhooks } from '../../partition/tell-webhooks.ts';
import { refusedFormOf, releasedFormOf } from '../../policy/held-replies.ts';
import { isCounted, isInActivity } from '../../policy/usage.ts';
import { reachOf } from '../../policy/visibility.ts';
import { dayOf } from '../../session/session.messages.ts';
import { countActivity } from '../../usage.state.ts';
import type { AccountTurn } from '../account.turn.ts';
import { continueConversation } from '../conversations/store-conversation.ts';
import { statusHooks } from '../hooks-of-statuses.ts';
import { countAccount } from '../profile/profile.turn.ts';
import { tellFollowers } from '../relationships/follower-distribution.ts';
import { noteInteraction } from '../suggestions/note-interaction.ts';
import { deliverStatus } from './deliver-status.ts';
import { factsOf } from './status-facts.ts';
import { statusCounted, statusEdited, statusPublished } from './statuses.events.ts';
import { isLocal, type Status, threadOf } from './statuses.records.ts';
import { putStatus } from './statuses.turn.ts';
import { writeStatus } from './store-status.ts';
import { tellConcerned, tellOfParts } from './tell-concerned.ts';

export interface Consent {
  /** The proof that a remote author gave. */
  readonly replyAuthorization?: string | undefined;
  /** Of the status besides followers, where it is a local one. */
  readonly destinations?: readonly Destination[] | undefined;
}

/** Everybody concerned is told now, as of a new status. */
export function releaseStatus(
  turn: AccountTurn,
  held: Status,
  { replyAuthorization, destinations = [] }: Consent,
): void {
  const status = { ...releasedFormOf(held), replyAuthorization };
  const facts = factsOf(status);
  writeStatus(turn, status, facts);
  for (const hooks of statusHooks) hooks.changed?.(turn, held, status);
  if (isCounted(facts)) countAccount(turn, { statuses: 1 }, status.createdAt);
  if (isInActivity(facts)) countActivity(turn, 'statuses', dayOf(turn.now));
  // Its author has been shown it as it was.
  turn.emit(statusCounted, { id: status.id });
  turn.emit(statusPublished, facts);
  tellFollowers(turn, 'arrived', facts);
  if (isLocal(status)) noteInteraction(turn, status.inReplyToAccountId!, 'reply', status.id);
  if (isLocal(status) && status.visibility === 'direct') continueConversation(turn, threadOf(status), status.id, false);
  const mentioned = status.mentions
    .filter(({ id }) => id !== turn.self.key && !isTold(held, id))
    .map(({ id }) => ({ id }));
  const last = tellOfParts(turn, status, tellConcerned(turn, status, mentioned));
  if (last !== undefined) turn.tell(last);
  if (!isLocal(status)) return;
  tellWebhooks(turn, 'status.created', status.id);
  deliverStatus(
    turn,
    status,
    { kind: 'create', actorId: status.accountId, activityId: status.id, statusId: status.id },
    { ...reachOf(status), destinations },
  );
}

/** Whoever was asked has a notification of it already; a private one begins a conversation now. */
function isTold({ heldReply }: Status, accountId: Id): boolean {
  return accountId === heldReply?.askedId && heldReply.visibility !== 'direct';
}

export function refuseStatus(turn: AccountTurn, held: Status): void {
  const status = refusedFormOf(held, held.heldReply!);
  putStatus(turn, status);
  turn.emit(statusEdited, factsOf(status));
}
