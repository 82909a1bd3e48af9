/** Pinning own statuses (specification 3 and 6.2: Add to and Remove from the featured collection). */

import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { viewerStateChanged } from '../interactions/interactions.events.ts';
import { profiles } from '../profile/profile.state.ts';
import { isLocal, putProfile } from '../profile/profile.turn.ts';
import { fetchPins } from '../remote/remote.effects.ts';
import { deliverStatus } from '../statuses/deliver-status.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { ownStatus } from '../statuses/statuses.turn.ts';
import { isOvertaken } from '../withdrawals/withdrawals.turn.ts';
import { pinLimits } from './limits.ts';
import { pinMessages } from './pins.messages.ts';
import * as state from './pins.state.ts';
import { addPin, removePin } from './store-pin.ts';

/** Throws notFound for any but an own status, validation when a local account has reached its limit. */
function pin(turn: AccountTurn, { statusId, signedAt }: BodyOf<typeof pinMessages.pin>): undefined {
  const accountId = turn.self.key;
  ownStatus(turn, statusId);
  if (isOvertaken(turn, `pin ${statusId}`, signedAt)) return;
  if (turn.get(state.pinOf, [accountId, statusId]) !== undefined) return;
  const local = isLocal(turn);
  const limit = local ? pinLimits.perLocalAccountMax : pinLimits.perRemoteAccountMax;
  if ([...turn.range(state.pins, [accountId], { limit })].length === limit) {
    if (local)
      throw validationFailure('You have already pinned the maximum number of posts', { reason: 'tooManyPins' });
    return;
  }
  addPin(turn, statusId);
  tellFollowers(turn, 'pin', statusId);
}

function unpin(turn: AccountTurn, { statusId, signedAt }: BodyOf<typeof pinMessages.unpin>): undefined {
  if (isOvertaken(turn, `pin ${statusId}`, signedAt)) return;
  if (removePin(turn, statusId)) tellFollowers(turn, 'unpin', statusId);
}

function tellFollowers(turn: AccountTurn, kind: 'pin' | 'unpin', statusId: Id): void {
  turn.emit(viewerStateChanged, { accountId: turn.self.key, statusId });
  if (!isLocal(turn)) return;
  const intent = { kind, actorId: turn.self.key, activityId: turn.nextId(), statusId };
  const status = turn.get(statuses, [statusId]);
  // What is told of one that is gone could name one that stays here.
  if (status !== undefined) deliverStatus(turn, status, intent, { toFollowers: true, destinations: [] });
}

function receivePins(turn: AccountTurn, { statusIds }: BodyOf<typeof pinMessages.receivePins>): undefined {
  const accountId = turn.self.key;
  const shown = statusIds
    .filter((statusId) => turn.get(statuses, [statusId])?.accountId === accountId)
    .slice(0, pinLimits.perRemoteAccountMax);
  const kept = Array.from(turn.range(state.pins, [accountId], { reverse: true }), ({ value }) => value.id);
  if (kept.length === shown.length && kept.every((statusId, index) => statusId === shown[index])) return;
  for (const statusId of kept) removePin(turn, statusId);
  // The latest pin comes first.
  for (const statusId of shown.toReversed()) addPin(turn, statusId);
}

/** At most once within this age, however often the pins are read; a server that fails is not asked again sooner. */
function refreshPins(turn: AccountTurn, { ageMilliseconds }: BodyOf<typeof pinMessages.refreshPins>): undefined {
  const profile = turn.get(profiles, [turn.self.key]);
  if (profile?.remote === undefined || profile.suspendedAt !== undefined) return;
  if (profile.remote.featured === undefined && profile.remote.featuredTags === undefined) return;
  if ((profile.pinsAskedAt ?? 0) > turn.now - ageMilliseconds) return;
  putProfile(turn, { ...profile, pinsAskedAt: turn.now });
  turn.effect(fetchPins, { uri: profile.remote.uri }, Account.refreshed);
}

export const pinsFeature = feature<AccountTurn>()({
  messages: pinMessages,
  handlers: { pin, unpin, receivePins, refreshPins },
  state: [state],
  rules: state.pinRules,
});
