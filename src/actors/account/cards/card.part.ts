/** The card of a status. Nobody writes it: it is found after the status was stored, and is no edit. */
import { z } from 'zod';
import { pageOfLink } from '../../policy/page-host.ts';
import { statusPart } from '../../status-part.ts';
import { Card } from './cards.records.ts';

/** What the status links to first on another server. */
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

/** It stays for as long as the status links to the page. */
function cardOfEdit(
  before: CardOfStatus,
  { link }: CardOfStatus,
): { card: Card | undefined; link: string | undefined } {
  return { card: isOfSamePage(link, before.link) ? before.card : undefined, link };
}

function isOfSamePage(link: string | undefined, former: string | undefined): boolean {
  return link !== undefined && former !== undefined && pageOfLink(link) === pageOfLink(former);
}
