/**
 * Deliveries about follows to other servers (specification 6.2). Only local accounts deliver, and only to remote ones;
 * all other calls do nothing.
 */

import type { Id } from '../../../runtime/ids.ts';
import type { Destination, Intent } from '../../intents.ts';
import type { AccountTurn } from '../account.turn.ts';
import { isLocal } from '../profile/profile.turn.ts';
import { deliver } from './follower-distribution.ts';
import type { Follow } from './relationships.records.ts';

export function deliverFollow(
  turn: AccountTurn,
  targetId: Id,
  follow: Follow,
  destination: Destination | undefined,
): void {
  deliverTo(turn, destination, () => ({
    kind: 'follow',
    actorId: turn.self.key,
    activityId: follow.id,
    targetId,
    followId: follow.id,
  }));
}

export function deliverUndoFollow(
  turn: AccountTurn,
  targetId: Id,
  follow: Follow,
  destination: Destination | undefined,
): void {
  deliverTo(turn, destination, () => ({
    kind: 'undoFollow',
    actorId: turn.self.key,
    activityId: turn.nextId(),
    targetId,
    followId: follow.id,
  }));
}

/** The answer to a follower; `followUri` is the ActivityPub id of its Follow. */
export function deliverFollowAnswer(
  turn: AccountTurn,
  kind: 'acceptFollow' | 'rejectFollow',
  followerId: Id,
  followUri: string | undefined,
  destination: Destination | undefined,
): void {
  deliverTo(turn, destination, () => ({
    kind,
    actorId: turn.self.key,
    activityId: turn.nextId(),
    targetId: followerId,
    followUri,
  }));
}

/** Delivers one intent to one inbox. The intent (and its id) is made only when there is an inbox. */
export function deliverTo(turn: AccountTurn, destination: Destination | undefined, intent: () => Intent): void {
  if (destination === undefined || !isLocal(turn)) return;
  deliver(turn, intent(), { toFollowers: false, destinations: [destination] });
}
