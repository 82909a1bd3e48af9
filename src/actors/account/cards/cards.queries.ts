/** Which statuses show a card. */
import { pageOfLink } from '../../policy/page-host.ts';
import type { Status } from '../statuses/statuses.records.ts';
import type { Card } from './cards.records.ts';

type WithCard = Pick<Status, 'attachments' | 'quote' | 'card' | 'link'>;

/** The page whose card a status shows: one with media, or with a quote, shows none (behaviour of the Mastodon API). */
export function linkOfCard({ attachments, quote, link }: WithCard): string | undefined {
  const isWithout = attachments.length > 0 || quote !== undefined || link === undefined;
  return isWithout ? undefined : pageOfLink(link);
}

export function cardOf(status: WithCard): Card | undefined {
  return linkOfCard(status) === undefined ? undefined : status.card;
}
