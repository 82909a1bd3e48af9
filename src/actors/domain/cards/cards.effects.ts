/** The effect of link cards: number 2, of those of domains. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import type { FetchedCard } from './cards.messages.ts';

const Address = z.object({ url: z.string() });

/** Fetches a page of this host, and makes its card. */
export const fetchCard = effectType<z.infer<typeof Address>, FetchedCard>(2, 'fetch card', Address);
