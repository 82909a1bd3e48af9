/**
 * Which statuses may trend, and how they are ranked (behaviour of the Mastodon API). Pure.
 *
 * The score of a status is the square of its favourites and reblogs but the first, and halves every two hours from its
 * creation on. Two scores keep their order while both decay, so a status is ranked by the logarithm of its score plus its
 * age at a fixed time: the rank changes only with its counters, never with time.
 */
import type { Profile } from '../account/profile/profile.records.ts';
import type { Status, StatusCounters } from '../account/statuses/statuses.records.ts';

export const trendRanks = {
  /** Favourites and reblogs that a status needs. */
  interactionsMin: 5,
  halfLifeMilliseconds: 2 * 60 * 60 * 1_000,
  /** A score below this has faded. */
  scoreMin: 0.3,
  /** Coarse: most favourites of a popular status leave its rank as it is. */
  stepsPerHalving: 4,
} as const;

const { stepsPerHalving, halfLifeMilliseconds, scoreMin, interactionsMin } = trendRanks;

type Interactions = Pick<StatusCounters, 'favourites' | 'reblogs'>;

/** Whether a status has a rank, or had one before it lost a favourite or reblog. Most never get there. */
export function isNearRanks({ favourites, reblogs }: Interactions): boolean {
  return favourites + reblogs >= interactionsMin - 1;
}

/** A whole number, the higher the stronger. Undefined with too few interactions. `createdAt`: milliseconds since 1970. */
export function rankOf({ favourites, reblogs }: Interactions, createdAt: number): number | undefined {
  const interactions = favourites + reblogs;
  if (interactions < interactionsMin) return undefined;
  return Math.floor(stepsPerHalving * (2 * Math.log2(interactions - 1) + createdAt / halfLifeMilliseconds));
}

/** What is ranked lower has faded at this time. */
export function rankMin(now: number): number {
  return Math.ceil(stepsPerHalving * (Math.log2(scoreMin) + now / halfLifeMilliseconds));
}

type TrendingStatus = Pick<
  Status,
  | 'visibility'
  | 'sensitive'
  | 'spoilerText'
  | 'language'
  | 'inReplyToId'
  | 'answersUnknown'
  | 'reblogOfId'
  | 'importedFrom'
>;

/** Public, in a known language, neither a reply nor sensitive, and written here or received. */
export function mayStatusTrend(status: TrendingStatus): boolean {
  const isOriginal =
    status.reblogOfId === undefined &&
    status.inReplyToId === undefined &&
    status.answersUnknown !== true &&
    status.importedFrom === undefined;
  const isPlain = status.spoilerText === '' && !status.sensitive;
  return isOriginal && isPlain && status.visibility === 'public' && status.language !== undefined;
}

/** By authors who want to be found, and of whom staff think well. */
export function mayAuthorTrend({
  discoverable,
  limited,
  suspendedAt,
  sensitized,
}: Pick<Profile, 'discoverable' | 'limited' | 'suspendedAt' | 'sensitized'>): boolean {
  return discoverable === true && !limited && suspendedAt === undefined && sensitized !== true;
}
