/**
 * Finds what would trend and awaits a review, and tells staff by mail. Looked for every hour on a network thread, where
 * staff have decided that nothing trends unreviewed.
 */
import { staffWith } from '../../actors/account/profile/staff.queries.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import type { NetworkServices, NetworkTask } from '../../services/network-services.ts';
import type { Services } from '../../services/services.ts';

import { Reviews, type Trendability } from './reviews.ts';
import { linkCandidates } from './trending-links.ts';
import { statusCandidates } from './trending-statuses.ts';
import { tagCandidates } from './trending-tags.ts';

const hourMilliseconds = 60 * 60 * 1_000;
/** Of each kind: more than anybody is shown at once. */
const lookedAtMax = 20;

export async function tellAwaitedReviews(services: Services): Promise<void> {
  const reviews = new Reviews(services);
  if (!reviews.areTrendsOn || reviews.isEverythingTrendable) return;
  const staffIds = staffWith(services.snapshots, 'manageTaxonomies');
  if (staffIds.length === 0) return;
  const awaits = ({ isTrendable, requiresReview }: Trendability) => requiresReview && !isTrendable;
  const tags = await tagCandidates(services);
  const links = await linkCandidates(services);
  const statuses = await statusCandidates(services);
  const found = {
    tags: tags.map(({ name }) => name).filter((name) => awaits(reviews.tag(name))),
    links: links.map(({ card: { url, title } }) => ({ url, title })).filter(({ url }) => awaits(reviews.link(url))),
    statusIds: statuses.filter(({ id, accountId }) => awaits(reviews.status(id, accountId))).map(({ id }) => id),
  };
  if (found.tags.length + found.links.length + found.statusIds.length === 0) return;
  const message = {
    tags: found.tags.slice(0, lookedAtMax),
    links: found.links.slice(0, lookedAtMax),
    statusIds: found.statusIds.slice(0, lookedAtMax),
    staffIds,
  };
  await services.client.call(Instance.trendsFound.to(instanceKey, message), 'system');
}

/** On one of the network threads. */
export function reviewReminder(services: NetworkServices): NetworkTask {
  let timer: NodeJS.Timeout | undefined;
  const look = () =>
    tellAwaitedReviews(services).catch((error: unknown) =>
      services.report({ level: 'warn', message: 'staff could not be told what awaits a review', error }),
    );
  return {
    start() {
      if (services.index === 0) timer = setInterval(() => void look(), hourMilliseconds).unref();
    },
    async stop() {
      clearInterval(timer);
    },
  };
}
