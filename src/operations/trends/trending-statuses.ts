/**
 * The trending statuses (behaviour of the Mastodon API): ranked by their favourites and reblogs, which decay
 * (policy/trends.ts). The list is read from an index and kept for a while, so that pages by offset follow each other; what
 * was deleted, hidden behind a warning, or lost its author since is left out at once.
 */
import { z } from 'zod';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { isRanked, type RankedStatus, strongestStatuses } from '../../actors/account/statuses/ranks.queries.ts';
import { mayAuthorTrend } from '../../actors/policy/trends.ts';
import type { Id } from '../../runtime/ids.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';
import type { Caller } from '../caller.ts';
import { operation } from '../operation.ts';
import { type Examined, keptTrends } from './kept-trends.ts';
import { Reviews } from './reviews.ts';

interface Trends extends Examined {
  readonly statuses: readonly RankedStatus[];
}

const statusesMax = 200;
/** A whole list is kept for a minute. */
const keptMillisecondsPerStatus = 300;

const trends = member((services: Services) =>
  keptTrends(services, () => trendsOf(services), keptMillisecondsPerStatus),
);

/**
 * Those that trend, in the order in which the caller is shown them: first those in a language of the caller.
 * `languages`: of a visitor. Whether the caller may see each, and wants to, is decided by the presenter, in the
 * context `trend`.
 */
export const findTrendingStatuses = operation({
  input: z.object({ languages: z.array(z.string()) }),
  permission: 'look',
  async run({ caller, services }, { languages }): Promise<Iterable<Id>> {
    const reviews = new Reviews(services);
    const { statuses } = reviews.areTrendsOn ? await trends(services).get() : { statuses: [] };
    const read = new Set(languagesOf(services, caller, languages).map(primary));
    const isTrendable = ({ id, accountId }: RankedStatus) => reviews.status(id, accountId).isTrendable;
    return trendingNow(services, inOrderOf(statuses, read), isTrendable);
  },
});

/** Reviewed or not, strongest first. */
export async function statusCandidates(services: Services): Promise<RankedStatus[]> {
  const { statuses } = await trends(services).get();
  return statuses.filter((status) => mayTrendNow(services, status));
}

function trendsOf(services: Services): Trends {
  const statuses = strongestStatuses(services.snapshots, services.now(), statusesMax);
  return { statuses, examined: statuses.length };
}

function languagesOf({ snapshots }: Services, { accountId }: Caller, asked: readonly string[]): readonly string[] {
  const login = accountId === undefined ? undefined : findLogin(snapshots, accountId);
  return login === undefined ? asked : [login.locale, login.defaultLanguage ?? ''];
}

/** `pt` of `pt-BR` (RFC 5646). */
function primary(language: string): string {
  return language.split('-', 1)[0]!.toLowerCase();
}

function inOrderOf(statuses: readonly RankedStatus[], languages: ReadonlySet<string>): readonly RankedStatus[] {
  const isRead = ({ language = '' }: RankedStatus) => languages.has(primary(language));
  return [...statuses.filter(isRead), ...statuses.filter((status) => !isRead(status))];
}

function* trendingNow(
  services: Services,
  statuses: readonly RankedStatus[],
  isTrendable: (status: RankedStatus) => boolean,
): Generator<Id> {
  for (const status of statuses) if (mayTrendNow(services, status) && isTrendable(status)) yield status.id;
}

function mayTrendNow({ snapshots }: Services, { id, accountId }: RankedStatus): boolean {
  const author = isRanked(snapshots, id) ? findProfile(snapshots, accountId) : undefined;
  return author !== undefined && mayAuthorTrend(author);
}
