/** Staff review what trends, or may soon: hashtags, links with their publishers, statuses with their authors. */
import { z } from 'zod';
import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { findTrendReview, trendReviewsOf } from '../../actors/instance/trends/trend-reviews.queries.ts';
import { ReviewedTrend } from '../../actors/instance/trends/trend-reviews.records.ts';
import { idOfName } from '../../actors/policy/derived-ids.ts';
import { hostOfPage } from '../../actors/policy/page-host.ts';
import type { DayOfUse } from '../../actors/uses.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { Reviews, type TagRights, type Trendability } from './reviews.ts';
import { linkCandidates, type TrendingLink } from './trending-links.ts';
import { statusCandidates } from './trending-statuses.ts';
import { tagCandidates } from './trending-tags.ts';

const page = z.object({ offset: z.int().min(0), limit: z.int().min(1) });

export interface ReviewedTag extends TagRights {
  readonly name: string;
  readonly history: readonly DayOfUse[];
}

export interface ReviewedLink extends TrendingLink, Trendability {}

export interface ReviewedStatus extends Trendability {
  readonly id: Id;
}

export interface Publisher {
  /** A host, or a domain above it. */
  readonly domain: string;
  readonly isTrendable: boolean | undefined;
  /** Milliseconds since 1970. */
  readonly reviewedAt: number | undefined;
}

/** Lets something trend, or not. Throws Failure notFound for a status or an account that is not there. */
export const reviewTrend = operation({
  input: ReviewedTrend.extend({ isTrendable: z.boolean() }),
  permission: 'manageTaxonomies',
  audit: 'reviewTrend',
  async run({ caller, services, audit }, given): Promise<void> {
    const message = Instance.reviewTrend.to(instanceKey, { ...given, label: labelOf(services, given), audit });
    await services.client.call(message, flowOf(caller));
  },
});

/** As people know it. Throws Failure notFound. */
function labelOf({ snapshots }: Services, { kind, name }: ReviewedTrend): string {
  if (kind === 'tag') return `#${name}`;
  if (kind === 'link' || kind === 'publisher') return name;
  const id = parseId(name) ?? 0n;
  const status = kind === 'status' ? findStatusRecord(snapshots, id) : undefined;
  const author = findProfile(snapshots, kind === 'status' ? (status?.accountId ?? 0n) : id);
  if (author === undefined) throw new Failure('notFound');
  const handle = author.domain === undefined ? author.username : `${author.username}@${author.domain}`;
  return kind === 'status' ? `@${handle}: ${name}` : `@${handle}`;
}

/** The trends themselves, with those that do not trend because nobody has reviewed them, or because staff said so. */
export const candidateTags = operation({
  input: page,
  permission: 'manageTaxonomies',
  audit: reads,
  async run({ services }, { offset, limit }): Promise<ReviewedTag[]> {
    const reviews = new Reviews(services);
    const tags = (await tagCandidates(services)).slice(offset, offset + limit);
    return tags.map((tag) => ({ ...tag, ...reviews.tag(tag.name) }));
  },
});

export const candidateLinks = operation({
  input: page,
  permission: 'manageTaxonomies',
  audit: reads,
  async run({ services }, { offset, limit }): Promise<ReviewedLink[]> {
    const reviews = new Reviews(services);
    const links = (await linkCandidates(services)).slice(offset, offset + limit);
    return links.map((link) => ({ ...link, ...reviews.link(link.card.url) }));
  },
});

export const candidateStatuses = operation({
  input: page,
  permission: 'manageTaxonomies',
  audit: reads,
  async run({ services }, { offset, limit }): Promise<ReviewedStatus[]> {
    const reviews = new Reviews(services);
    const statuses = (await statusCandidates(services)).slice(offset, offset + limit);
    return statuses.map(({ id, accountId }) => ({ id, ...reviews.status(id, accountId) }));
  },
});

/** Those that staff have reviewed, and those of links that trend, in the order of their names. */
export const listPublishers = operation({
  input: z.object({}),
  permission: 'manageTaxonomies',
  audit: reads,
  async run({ services }): Promise<Publisher[]> {
    const hosts = (await linkCandidates(services)).map(({ card }) => hostOfPage(card.url));
    const reviewed = trendReviewsOf(services.snapshots, 'publisher').map(({ name }) => name);
    return [...new Set([...reviewed, ...hosts])].sort().map((domain) => publisherAt(services, domain));
  },
});

function publisherAt({ snapshots }: Services, domain: string): Publisher {
  const review = findTrendReview(snapshots, 'publisher', domain);
  return { domain, isTrendable: review?.isTrendable, reviewedAt: review?.reviewedAt };
}

/** A link that trends, or was reviewed, by the id that staff know it by. Throws Failure notFound. */
export async function linkWithId(services: Services, id: Id): Promise<TrendingLink> {
  const found = (await linkCandidates(services)).find(({ card }) => idOfName(card.url) === id.toString());
  if (found === undefined) throw new Failure('notFound');
  return found;
}

/** A publisher that is listed. Throws Failure notFound. */
export function publisherWithId(publishers: readonly Publisher[], id: Id): Publisher {
  const found = publishers.find(({ domain }) => idOfName(domain) === id.toString());
  if (found === undefined) throw new Failure('notFound');
  return found;
}
