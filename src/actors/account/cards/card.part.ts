/** The card of a status. Nobody writes it: it is found after the status was stored, and is no edit. */
import { z } from 'zod';
import { statusPart } from '../../status-part.ts';
import { Card } from './cards.records.ts';

/** The page that the status links to first, on another server: its address without a fragment. */
const found = { link: z.string().optional() };

export const cardPart = statusPart({
  stored: { card: Card.optional(), ...found },
  written: found,
  edit: found,
  received: found,
  version: {},
  ofEdit: cardOfEdit,
  ofReceivedEdit: cardOfEdit,
});

interface CardOfStatus {
  readonly card?: Card | undefined;
  readonly link?: string | undefined;
}

/** It stays for as long as the link does. */
function cardOfEdit(
  before: CardOfStatus,
  { link }: CardOfStatus,
): { card: Card | undefined; link: string | undefined } {
  return { card: link === before.link ? before.card : undefined, link };
}
