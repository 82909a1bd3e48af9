/**
 * Applies an activity whose signature was verified: on gateways at once, on network threads after missing objects were
 * fetched. Processing is idempotent: an activity may be delivered more than once.
 */
import { Failure } from '../../runtime/errors.ts';
import type { Act, Activity } from '../documents/acts.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { applyAct } from './apply-act.ts';
import type { Applied, Outcome, Received } from './inbound.ts';

/**
 * The actor is the account that signed, at the time of the stamp; `isWithinAuthority` must have returned true. Rejects
 * with Failure overloaded, outcomeUnknown and, where there is a source, remoteUnreachable: then it may be tried again.
 */
export function processActivity({ acts }: Activity, received: Received): Applied {
  if (received.actor.isSuspended && !mayActSuspended(acts, received.actor)) return 'dropped';
  const [first, ...others] = acts;
  if (first === undefined) return 'dropped';
  const applied = applyAct(received, first);
  if (typeof applied === 'string' && others.length === 0) return applied;
  return settled(applied, others, received);
}

/** Accepted from an account that its own server suspended: it may undo, edit, and return (as in Mastodon). */
const allowedSuspended: ReadonlySet<Act['kind']> = new Set([
  'changeProfile',
  'edit',
  'editNamed',
  'delete',
  'reject',
  'undoAccept',
  'undoFollow',
  'undoLike',
  'undoBoost',
  'undoBlock',
  'undoNamed',
]);

function mayActSuspended(acts: readonly Act[], { isSuspendedByOrigin }: KnownAccount): boolean {
  return isSuspendedByOrigin && acts.every(({ kind }) => allowedSuspended.has(kind));
}

/** The refusal of an actor (a block, a suspension, a deleted status) is nothing that the sender could change. */
async function settled(first: Applied, others: readonly Act[], received: Received): Promise<Outcome> {
  const outcomes = [await orDropped(first)];
  for (const act of others) outcomes.push(await orDropped(applyAct(received, act)));
  return (
    outcomes.find((outcome) => outcome === 'incomplete') ?? outcomes.find((outcome) => outcome === 'done') ?? 'dropped'
  );
}

const refusals: ReadonlySet<Failure['code']> = new Set(['notFound', 'forbidden', 'validation']);

async function orDropped(applied: Applied): Promise<Outcome> {
  try {
    return await applied;
  } catch (error) {
    if (error instanceof Failure && refusals.has(error.code)) return 'dropped';
    throw error;
  }
}
