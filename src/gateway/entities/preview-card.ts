/** The PreviewCard entity (specification: entities of the Mastodon API), and Trends::Link, which is one with its use. */
import { z } from 'zod';
import type { Card } from '../../actors/account/cards/cards.records.ts';
import type { TrendingLink } from '../../operations/trends/trending-links.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { MediaOwner } from '../../services/media/media-owner.ts';
import { shownCardPicture } from '../shown-media.ts';
import { AccountEntity } from './account.ts';
import { DayOfUseEntity, historyEntity } from './tag.ts';
import { flag, language, text, time, url } from './values.ts';

const urlOrEmpty = z.union([url, z.literal('')]);
const size = z.int().min(0);

const cardFields = {
  url,
  title: text,
  description: text,
  language: language.nullable(),
  type: z.enum(['link', 'photo', 'video']),
  authors: z.array(z.strictObject({ name: text, url: urlOrEmpty, account: AccountEntity.nullable() })),
  author_name: text,
  author_url: urlOrEmpty,
  provider_name: text,
  provider_url: urlOrEmpty,
  html: text,
  width: size,
  height: size,
  image: url.nullable(),
  image_description: text,
  embed_url: urlOrEmpty,
  blurhash: text.nullable(),
  published_at: time.nullable(),
  /** To the account that the page names as its author, where it does not list the host of the page. */
  missing_attribution: flag,
};

export const PreviewCardEntity = z.strictObject(cardFields).meta({ id: 'PreviewCard' });

export interface ShownCard {
  /** How a status links to the page; by default the page as it names itself. */
  readonly link?: string | undefined;
  /** The author, as the viewer is shown it (card-authors.ts). */
  readonly account?: AccountEntity | undefined;
  readonly isMissing?: boolean;
  /** The author of the status with the link; nobody where a list has found the page. */
  readonly by?: MediaOwner | undefined;
}

const nobody: MediaOwner = {};

export function previewCardEntity(
  card: Card,
  addresses: Addresses,
  { link = card.url, account, isMissing = false, by = nobody }: ShownCard = {},
): z.output<typeof PreviewCardEntity> {
  const { authorName = '', authorUrl = '', publishedAt } = card;
  const image = shownCardPicture(card, addresses, by) ?? null;
  const isByNobody = authorName === '' && authorUrl === '' && account === undefined;
  return {
    url: link,
    title: card.title,
    description: card.description,
    language: card.language ?? null,
    type: card.type ?? 'link',
    authors: isByNobody ? [] : [{ name: authorName, url: authorUrl, account: account ?? null }],
    author_name: authorName,
    author_url: authorUrl,
    provider_name: card.providerName ?? '',
    provider_url: card.providerUrl ?? '',
    html: card.html ?? '',
    width: card.width ?? 0,
    height: card.height ?? 0,
    image,
    image_description: card.imageDescription ?? '',
    embed_url: card.embedUrl ?? '',
    blurhash: (image === null ? undefined : card.blurhash) ?? null,
    published_at: publishedAt === undefined ? null : new Date(publishedAt).toISOString(),
    missing_attribution: isMissing,
  };
}

export const TrendingLinkEntity = z
  .strictObject({ ...cardFields, history: z.array(DayOfUseEntity).length(7) })
  .meta({ id: 'TrendsLink' });

export function trendingLinkEntity(
  { card, history }: TrendingLink,
  addresses: Addresses,
  shown: ShownCard,
): z.output<typeof TrendingLinkEntity> {
  return { ...previewCardEntity(card, addresses, shown), history: historyEntity(history) };
}
