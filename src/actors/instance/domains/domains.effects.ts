/** The effect of rules for other servers. Effect numbers are append-only over all actors: this file has 26. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import { SweepPosition } from './domains.records.ts';

const Sweep = z.object({ revision: z.number(), from: SweepPosition });

/** Suspends, silences and releases a slice of the known accounts of other servers, as the rules ask. */
export const applyDomainPolicy = effectType<
  z.infer<typeof Sweep>,
  { revision: number; next?: SweepPosition | undefined }
>(26, 'apply domain policy', Sweep);
