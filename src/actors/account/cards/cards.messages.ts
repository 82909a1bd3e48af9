/** Cards of statuses. Message number 210. */
import { z } from 'zod';
import { cast } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { Card } from './cards.records.ts';

export const cardMessages = {
  /** From the host of the page: the card of what a status links to, or a newer one. */
  cardFound: cast(210, z.object({ statusId: identifier, url: z.string(), card: Card })),
};
