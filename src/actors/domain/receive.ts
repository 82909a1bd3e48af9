/**
 * Activities that refer to something that must be fetched first. Their host's actor stores them, so that a backlog
 * burdens only its own host: their number is bounded, and each is tried a few times.
 *
 * INVARIANT the count is the number of effects under way and of timers for another attempt.
 */

import type { BodyOf } from '../../runtime/contract.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { processReceived } from './domain.effects.ts';
import { Domain } from './domain.messages.ts';
import { receivedCounts } from './domain.state.ts';

type DomainTurn = Turn<string>;
const receivedMax = 1_000;
/** The pauses before the second attempt and the third, which is the last. */
const waitsMilliseconds = [5 * 60_000, 60 * 60_000] as const;

export function received(turn: DomainTurn, message: BodyOf<typeof Domain.received>): undefined {
  if (count(turn, 1) > receivedMax) throw new Failure('overloaded');
  turn.effect(processReceived, message, Domain.processed);
}

export function processed(turn: DomainTurn, { again }: BodyOf<typeof Domain.processed>): undefined {
  const wait = again === undefined ? undefined : waitsMilliseconds[again.attempt - 1];
  if (again === undefined || wait === undefined) {
    count(turn, -1);
    return;
  }
  turn.schedule(turn.now + wait, Domain.receivedAgain.to(turn.self.key, { ...again, attempt: again.attempt + 1 }));
}

export function receivedAgain(turn: DomainTurn, message: BodyOf<typeof Domain.receivedAgain>): undefined {
  turn.effect(processReceived, message, Domain.processed);
}

function count(turn: DomainTurn, change: 1 | -1): number {
  const after = Math.max(0, (turn.get(receivedCounts, [turn.self.key])?.count ?? 0) + change);
  if (after === 0) turn.delete(receivedCounts, [turn.self.key]);
  else turn.put(receivedCounts, [turn.self.key], { count: after });
  return after;
}
