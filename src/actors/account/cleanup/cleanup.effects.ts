/** The effect of deleting old posts. Effect numbers are append-only over all actors: this file has 30. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import { identifier } from '../account.records.ts';

const CleanupSlice = z.object({ accountId: identifier, cleanupId: identifier, after: identifier.optional() });

export interface CleanedSlice {
  readonly cleanupId: bigint;
  /** The last post that it has looked at; absent where there are no more that are old enough. */
  readonly after?: bigint;
  readonly deleted: number;
}

/** Deletes some posts that are old enough, and are no exception. */
export const cleanStatuses = effectType<z.infer<typeof CleanupSlice>, CleanedSlice>(30, 'clean statuses', CleanupSlice);
