/** The effect of subscribed lists. Effect numbers are append-only over all actors: this file has 36. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import { identifier } from '../../account/account.records.ts';
import type { DomainListRead } from './domain-lists.messages.ts';

const Reading = z.object({ listId: identifier, reading: z.number() });

/** Fetches a list and has what differs from before taken over, slice by slice. */
export const readDomainList = effectType<z.infer<typeof Reading>, DomainListRead>(36, 'read domain list', Reading);
