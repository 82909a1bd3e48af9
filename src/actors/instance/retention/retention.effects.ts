/** The effect of forgetting statuses. Effect numbers are append-only over all actors: this file has 44. */
import type { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import { identifier } from '../../account/account.records.ts';
import { RetentionRun } from './retention.records.ts';

const RetentionSlice = RetentionRun.pick({ startedAt: true, before: true, slot: true }).extend({
  retentionId: identifier,
});
export type RetentionSlice = z.infer<typeof RetentionSlice>;

export interface SweptSlice {
  readonly retentionId: bigint;
  /** Where to go on; absent where all were looked at. */
  readonly slot?: number;
  readonly examined: number;
  readonly forgotten: number;
}

/** Looks at some old statuses, and has those forgotten that nobody here uses. */
export const forgetRemoteStatuses = effectType<RetentionSlice, SweptSlice>(44, 'forget statuses', RetentionSlice);
