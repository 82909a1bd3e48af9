/** The effect of polls. Effect numbers are append-only over all actors: this file has 22. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import type { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';

const AudienceRequest = z.object({ statusId: identifier });

/** Finds the destinations of a status besides followers, as for an edit: other accounts know their inboxes. */
export const findPollAudience = effectType<
  z.infer<typeof AudienceRequest>,
  { statusId: bigint; destinations: Destination[] }
>(22, 'find poll audience', AudienceRequest);
