/**
 * The trending links, with their use: articles that several accounts link to (specification 4.9 for the weights of tags;
 * behaviour of the Mastodon API for what trends).
 */
import { z } from 'zod';
import { cardOf } from '../../actors/account/cards/cards.queries.ts';
import type { Card } from '../../actors/account/cards/cards.records.ts';
import { SilencedAccounts } from '../../actors/account/profile/silenced.queries.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { hostOfPage } from '../../actors/policy/page-host.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import { linkEntries, trendingLinkEntries } from '../../actors/timelines.queries.ts';
import { type DayOfUse, recentUse } from '../../actors/uses.queries.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';
import { operation } from '../operation.ts';
import { type Examined, keptTrends } from './kept-trends.ts';
import { Reviews } from './reviews.ts';
import { trendsIn } from './trend-scores.ts';

export interface TrendingLink {
  readonly card: Card;
  readonly history: readonly DayOfUse[];
}

interface Trends extends Examined {
  readonly links: readonly TrendingLink[];
}

/** One account alone makes no trend. */
const accountsMin = 2;

const trends = member((services: Services) => keptTrends(services, () => services.slices.run(trendsOf(services))));

export const findTrendingLinks = operation({
  input: z.object({ offset: z.int().min(0), limit: z.int().min(1) }),
  permission: 'look',
  async run({ services }, { offset, limit }): Promise<TrendingLink[]> {
    return (await allowedLinks(services)).slice(offset, offset + limit);
  },
});

export const isTrendingLink = operation({
  input: z.object({ url: z.string() }),
  permission: 'look',
  async run({ services }, { url }): Promise<boolean> {
    return (await allowedLinks(services)).some(({ card }) => card.url === url);
  },
});

async function allowedLinks(services: Services): Promise<TrendingLink[]> {
  const reviews = new Reviews(services);
  const links = reviews.areTrendsOn ? await linkCandidates(services) : [];
  return links.filter(({ card }) => reviews.link(card.url).isTrendable);
}

/** Reviewed or not; none of a server that staff have limited or suspended. */
export async function linkCandidates(services: Services): Promise<TrendingLink[]> {
  const { links } = await trends(services).get();
  const policy = domainPolicy(services);
  return links.filter(({ card }) => policy.of(hostOfPage(card.url)).severity === 'noop');
}

function* trendsOf(services: Services): Generator<undefined, Trends> {
  const { snapshots } = services;
  const now = services.now();
  const cardIn = (statusId: bigint) => {
    const status = findStatusRecord(snapshots, statusId);
    return status && cardOf(status);
  };
  const { found, examined } = yield* trendsIn(snapshots, now, {
    entries: (bounds) => trendingLinkEntries(snapshots, bounds),
    namesIn(statusId) {
      const card = cardIn(statusId);
      return card === undefined ? [] : [card.url];
    },
    accountsMin,
  });
  const silenced = new SilencedAccounts(snapshots);
  const links: TrendingLink[] = [];
  for (const { name, latestId } of found) {
    yield;
    const card = cardIn(latestId);
    const { days } = yield* recentUse((bounds) => linkEntries(snapshots, name, bounds), dayOf(now), silenced);
    if (card !== undefined) links.push({ card, history: days });
  }
  return { links, examined };
}
