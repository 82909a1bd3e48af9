/**
 * Applies an activity whose signature was verified: on gateways at once, on network threads after missing objects were
 * fetched. Processing is idempotent: an activity may be delivered more than once.
 */
import { Failure } from '../../runtime/errors.ts';
import type { Act, Activity } from '../documents/acts.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { applyAct } from './apply-act.ts';
import type { Applied, Inbound, Outcome, Received, RemoteSource } from './inbound.ts';

/**
 * `actor` is the account that signed, at `signedAt`, and whose activity it is; `isWithinAuthority` must have returned
 * true. Rejects with Failure overloaded, outcomeUnknown and, where there is a source, remoteUnreachable: then it may be
 * tried again.
 */
export function processActivity(
  inbound: Inbound,
  activity: Activity,
  actor: KnownAccount,
  signedAt: number,
  source: RemoteSource | undefined,
): Applied {
  if (actor.isSuspended && !mayActSuspended(activity, actor)) return 'dropped';
  const [first, ...others] = activity.acts;
  if (first === undefined) return 'dropped';
  const received = { inbound, stamp: { uri: activity.id, signedAt }, actor, source };
  const applied = applyAct(first, received);
  if (typeof applied === 'string' && others.length === 0) return applied;
  return settled(applied, others, received);
}

/** Accepted from an account that its own server suspended: it may undo, and return. */
const takingBack: ReadonlySet<Act['kind']> = new Set([
  'changeProfile',
  'delete',
  'reject',
  'undoFollow',
  'undoLike',
  'undoBoost',
  'undoBlock',
  'undoNamed',
]);

function mayActSuspended({ acts }: Activity, { isSuspendedByOrigin, uri }: KnownAccount): boolean {
  const isAllowed = (act: Act) => takingBack.has(act.kind) || (act.kind === 'editNamed' && act.uri === uri);
  return isSuspendedByOrigin && acts.every(isAllowed);
}

/** The refusal of an actor (a block, a suspension, a deleted status) is nothing that the sender could change. */
async function settled(first: Applied, others: readonly Act[], received: Received): Promise<Outcome> {
  const outcomes = [await orDropped(first)];
  for (const act of others) outcomes.push(await orDropped(applyAct(act, received)));
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
