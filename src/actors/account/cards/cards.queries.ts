/** Which statuses show a card. */
import type { Status } from '../statuses/statuses.records.ts';
import type { Card } from './cards.records.ts';

type WithCard = Pick<Status, 'attachments' | 'quote' | 'card' | 'link'>;

/** The address of whose page a status shows the card: one with media, or with a quote, shows none (behaviour of the Mastodon API). */
export function linkOfCard({ attachments, quote, link }: WithCard): string | undefined {
  return attachments.length > 0 || quote !== undefined ? undefined : link;
}

export function cardOf(status: WithCard): Card | undefined {
  return linkOfCard(status) === undefined ? undefined : status.card;
}
