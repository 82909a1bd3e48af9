/** The card of a status. Nobody writes it: it is found after the status was stored, and is no edit. */
import { statusPart } from '../../status-part.ts';
import { Card } from './cards.records.ts';

export const cardPart = statusPart({
  stored: { card: Card.optional() },
  written: {},
  edit: {},
  received: {},
  version: {},
  ofReceivedEdit: ({ card }) => ({ card }),
});
