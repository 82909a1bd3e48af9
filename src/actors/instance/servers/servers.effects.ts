/** The effect of purging a server. Effect numbers are append-only over all actors: this file has 50. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import { identifier } from '../../account/account.records.ts';
import { PurgePosition } from './servers.records.ts';

const PurgeSlice = z.object({ domain: z.string(), purgeId: identifier, from: PurgePosition });
export type PurgeSlice = z.infer<typeof PurgeSlice>;

export interface PurgedSlice {
  readonly domain: string;
  readonly purgeId: bigint;
  readonly accounts: number;
  /** Where to go on; absent where all accounts were looked at. */
  readonly next?: PurgePosition;
}

/** Has some accounts of a server remove what they have left here. */
export const purgeServerSlice = effectType<PurgeSlice, PurgedSlice>(50, 'purge a server', PurgeSlice);
