/** The effect of terms of service. Effect numbers are append-only over all actors: this file has 43. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import type { Id } from '../../../runtime/ids.ts';
import { identifier } from '../../account/account.records.ts';

const Slice = z.object({ day: z.number(), after: identifier.optional() });

/** Finds the accounts after one that terms concern; `after`: the last one looked at, where there are more. */
export const findTermsReaders = effectType<
  z.infer<typeof Slice>,
  { day: number; accountIds: Id[]; after?: Id | undefined }
>(43, 'find who reads terms', Slice);
