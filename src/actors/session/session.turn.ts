/** The turn of a session actor. */
import type { Turn } from '../../runtime/partition/turn.ts';

export type SessionTurn = Turn<string>;
