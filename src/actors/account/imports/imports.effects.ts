/** The effect of imports. Effect numbers are append-only over all actors: this file has 29. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import { identifier } from '../account.records.ts';
import type { RowResult } from './imports.records.ts';

/** `chunk`: -1 removes what is not in the file. */
const ImportSlice = z.object({ accountId: identifier, importId: identifier, chunk: z.number() });

export interface DoneSlice {
  readonly importId: bigint;
  readonly chunk: number;
  /** Of each row of the chunk. */
  readonly results: RowResult[];
  /** The same slice has more to do. */
  readonly hasMore?: boolean;
  /** The account may not be used any more. */
  readonly isBarred?: boolean;
}

/** Does what some rows of an import say. */
export const importRows = effectType<z.infer<typeof ImportSlice>, DoneSlice>(29, 'import rows', ImportSlice);
