/** The effect of removing an account. Effect numbers are append-only over all actors: this file has 27. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import type { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';
import { ServerPosition } from './moderation.records.ts';

const Search = z.object({ accountId: identifier, activityId: identifier, from: ServerPosition });

export interface FoundServers {
  readonly activityId: bigint;
  readonly destinations: Destination[];
  readonly next?: ServerPosition;
}

/** Finds some of the servers that may know an account that is removed, beside those of its followers. */
export const findServers = effectType<z.infer<typeof Search>, FoundServers>(27, 'find servers', Search);
