/** The turn of a name. */
import type { Turn } from '../../runtime/partition/turn.ts';

export type DirectoryTurn = Turn<string>;
