/** Recent interactions of an account with statuses of another: why it may want to follow it. */
import { z } from 'zod';
import { timeOfId } from '../../../runtime/ids.ts';
import { identifier } from '../account.records.ts';
import { suggestionLimits } from './limits.ts';

export const Suggestion = z.object({
  /** The ids of favourites, reblogs and replies, oldest first. */
  interactions: z.array(z.object({ id: identifier, weight: z.number() })),
  /** Hidden until the next interaction. */
  dismissed: z.boolean(),
});
export type Suggestion = z.infer<typeof Suggestion>;

/** The sum of the weights that still count (specification 8). */
export function scoreOf({ interactions }: Suggestion, now: number): number {
  const since = now - suggestionLimits.interactionLifetimeMilliseconds;
  return interactions.reduce((sum, { id, weight }) => (timeOfId(id) > since ? sum + weight : sum), 0);
}
