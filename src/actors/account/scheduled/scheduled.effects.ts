/**
 * The effect that publishes a due scheduled status. Effect numbers are append-only over all actors: this file has 20.
 */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import { identifier } from '../account.records.ts';

const DuePost = z.object({ accountId: identifier, scheduledId: identifier });

/** Publishes the status in the name of its account, by the operation that publishes all others. */
export const publishScheduled = effectType<z.infer<typeof DuePost>, { scheduledId: bigint; isOver: boolean }>(
  20,
  'publish scheduled',
  DuePost,
);
