/** Which statuses show a card. */

import { pageOfLink } from '../../policy/page-host.ts';
import { isInPublicTimeline } from '../../policy/visibility.ts';
import { trendingList } from '../../timelines.state.ts';
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

/** The lists of the link timeline that it is in. */
export function linkListsOf(status: Status): string[] {
  const card = cardOf(status);
  if (card === undefined || !isInPublicTimeline(status)) return [];
  const isPlain = status.spoilerText === '' && !status.sensitive;
  return isPlain && mayTrend(card) ? [card.url, trendingList] : [card.url];
}

/** Articles that show themselves well (behaviour of the Mastodon API), and do not ask to stay unlisted. */
function mayTrend({ type = 'link', isArticle, isUnlisted, title, description, image, providerName }: Card): boolean {
  if (type !== 'link' || isArticle !== true || isUnlisted === true) return false;
  return title !== '' && description !== '' && image !== undefined && providerName !== undefined;
}
