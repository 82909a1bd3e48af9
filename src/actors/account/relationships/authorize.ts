/** Accepts follow requests: one, or all that are pending. */

import type { Envelope } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Destination } from '../../intents.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { relationshipHooks } from '../hooks-of-relationships.ts';
import { deliverFollowAnswer } from './follow-deliveries.ts';
import { relationshipLimits } from './limits.ts';
import type { Follower } from './relationships.records.ts';
import { followRequestsByTime } from './relationships.state.ts';
import { addFollower, removeRequest } from './store-follow.ts';

/** The account was just unlocked: accepts all pending requests. */
export function authorizeAll(turn: AccountTurn): void {
  const waiting = [
    ...turn.range(followRequestsByTime, [turn.self.key], { limit: relationshipLimits.authorizationsPerTurn }),
  ];
  for (const { value } of waiting) {
    const request = removeRequest(turn, value.id);
    if (request !== undefined) turn.tell(authorize(turn, value.id, request, undefined));
  }
  const answered = new Set(waiting.map(({ value }) => value.id));
  for (const hooks of relationshipHooks) hooks.answered?.(turn, answered);
  // The rest is handled in another turn, so that a popular account does not hold up its partition.
  if (waiting.length === relationshipLimits.authorizationsPerTurn)
    turn.schedule(turn.now, Account.authorizePending.to(turn.self.key, {}));
}

/** Accepts a follower; returns the message for it. */
export function authorize(
  turn: AccountTurn,
  requesterId: Id,
  request: Follower,
  requesterDestination: Destination | undefined,
): Envelope<undefined> {
  const destination = requesterDestination ?? request.destination;
  addFollower(turn, requesterId, { ...request, destination });
  deliverFollowAnswer(turn, 'acceptFollow', requesterId, request.uri, destination);
  return Account.followAccepted.to(requesterId, { targetId: turn.self.key, followId: request.id });
}
