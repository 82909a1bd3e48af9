/** The parts of a status that depend on who looks at it. All others are encoded once for all viewers. */
import { cardOf } from '../../actors/account/cards/cards.queries.ts';
import type { Card } from '../../actors/account/cards/cards.records.ts';
import type { PartName, Status } from '../../actors/account/statuses/statuses.records.ts';
import { namedBy } from './card-authors.ts';
import { quoteOf } from './quotes.ts';

/** On the viewer's own state, or on what the viewer may see of others (shown-parts.ts). */
interface PersonalPart {
  readonly on: 'state' | 'others';
  isIn(status: Status): boolean;
}

const personalParts: { readonly [Name in PartName]?: PersonalPart } = {
  poll: { on: 'state', isIn: ({ poll }) => poll !== undefined },
  quote: { on: 'others', isIn: (status) => quoteOf(status) !== undefined },
  collections: { on: 'others', isIn: ({ taggedCollections }) => taggedCollections !== undefined },
  card: { on: 'others', isIn: (status) => attributedCardOf(status) !== undefined },
  /** Whether the viewer may reply depends on follows. */
  replyPolicy: { on: 'others', isIn: ({ replyApproval }) => replyApproval !== undefined },
};

const personal = Object.values(personalParts);
const ofOthers = personal.filter(({ on }) => on === 'others');

/** Whether it contains a part that depends on the viewer. */
export function hasPersonalPart(status: Status): boolean {
  return personal.some(({ isIn }) => isIn(status));
}

/** Whether it shows objects of others. */
export function showsOthers(status: Status): boolean {
  return ofOthers.some(({ isIn }) => isIn(status));
}

/** A card whose page names an account as its author. */
export function attributedCardOf(status: Pick<Status, 'attachments' | 'quote' | 'card' | 'link'>): Card | undefined {
  const card = cardOf(status);
  return card !== undefined && namedBy(card) !== undefined ? card : undefined;
}
