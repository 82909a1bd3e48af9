/**
 * Records favourites, reblogs and replies of a local account: it may want to follow their authors (specification 4.7).
 */

import type { Id } from '../../../runtime/ids.ts';
import { countOnDay } from '../../daily-counts.state.ts';
import { dayOf } from '../../session/session.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { isLocal } from '../profile/profile.turn.ts';
import { following } from '../relationships/relationships.state.ts';
import { interactionWeights, suggestionLimits } from './limits.ts';
import { scoreOf } from './suggestions.records.ts';
import { suggestions } from './suggestions.state.ts';

/** A suggestion only of accounts that are not followed; the figures of staff count all of them. */
export function noteInteraction(
  turn: AccountTurn,
  targetId: Id,
  kind: keyof typeof interactionWeights,
  interactionId: Id,
): void {
  const accountId = turn.self.key;
  if (targetId === accountId || !isLocal(turn)) return;
  countOnDay(turn, 'interactions', dayOf(turn.now));
  if (turn.get(following, [accountId, targetId])?.state === 'accepted') return;
  const before = turn.get(suggestions, [accountId, targetId]);
  if (before === undefined) makeRoom(turn);
  const others = before?.interactions.filter(({ id }) => id !== interactionId) ?? [];
  const interactions = [...others, { id: interactionId, weight: interactionWeights[kind] }];
  const kept = interactions.slice(-suggestionLimits.interactionsMax);
  turn.put(suggestions, [accountId, targetId], { interactions: kept, dismissed: false });
}

function makeRoom(turn: AccountTurn): void {
  const kept = [...turn.range(suggestions, [turn.self.key])];
  if (kept.length < suggestionLimits.perAccountMax) return;
  const scores = kept.map(({ key, value }) => ({ key, score: scoreOf(value, turn.now) }));
  const least = scores.reduce((one, other) => (other.score < one.score ? other : one));
  turn.delete(suggestions, least.key);
}

/** An interaction was undone. */
export function forgetInteraction(turn: AccountTurn, targetId: Id, interactionId: Id): void {
  const accountId = turn.self.key;
  const before = turn.get(suggestions, [accountId, targetId]);
  const interactions = before?.interactions.filter(({ id }) => id !== interactionId);
  if (before === undefined || interactions === undefined || interactions.length === before.interactions.length) return;
  if (interactions.length === 0) turn.delete(suggestions, [accountId, targetId]);
  else turn.put(suggestions, [accountId, targetId], { ...before, interactions });
}

/** Of an account that is gone. */
export function forgetAllSuggestions(turn: AccountTurn): void {
  for (const { key } of [...turn.range(suggestions, [turn.self.key])]) turn.delete(suggestions, key);
}

/** A block removes the interactions between the two accounts, at both ends. */
export function forgetSuggestion(turn: AccountTurn, targetId: Id): void {
  if (turn.get(suggestions, [turn.self.key, targetId]) !== undefined)
    turn.delete(suggestions, [turn.self.key, targetId]);
}
