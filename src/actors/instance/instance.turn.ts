/** The turn of the instance actor. */
import type { Turn } from '../../runtime/partition/turn.ts';

export type InstanceTurn = Turn<string>;
