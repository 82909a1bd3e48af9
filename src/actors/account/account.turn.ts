/** The turn of an account. What the turns of several features do is in the `x.turn.ts` of the feature that owns it. */
import type { Turn } from '../../runtime/partition/turn.ts';

export type AccountTurn = Turn<bigint>;
