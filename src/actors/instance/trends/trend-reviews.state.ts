/** The keyspace of reviews: 87. */
import { record } from '../../../runtime/codec.ts';
import { hashedString, keyspace, uint32 } from '../../../runtime/storage/keyspace.ts';
import { awaits, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Instance, instanceKey } from '../instance.messages.ts';
import { instanceLimits } from '../limits.ts';
import { type ReviewedTrend, reviewedKinds, TrendReview } from './trend-reviews.records.ts';

export const trendReviews = keyspace<[string, number, string], TrendReview>({
  number: 87,
  name: 'trend reviews',
  owner: 'instance',
  scopeParts: 2,
  key: [hashedString('instance'), uint32('kind'), hashedString('name')],
  value: record(TrendReview),
  bound: { by: 'count', entries: instanceLimits.trendReviewsMax },
});

export function reviewKey({ kind, name }: ReviewedTrend): [string, number, string] {
  return [instanceKey, reviewedKinds[kind], name];
}

/** Links and statuses trend for some days at most. */
export function isForgotten({ kind }: Pick<ReviewedTrend, 'kind'>): boolean {
  return kind === 'link' || kind === 'status';
}

export const trendReviewRules: readonly Rule[] = [
  rule(trendReviews, (_key, review, _reader, bytes) =>
    isKey(trendReviews, reviewKey(review), bytes) ? undefined : 'is of something else',
  ),
  awaits(trendReviews, [Instance.forgetTrendReview], {
    isAwaiting: (_key, review) => isForgotten(review),
    isMeant: (_key, review: ReviewedTrend, bytes) => isKey(trendReviews, reviewKey(review), bytes),
  }),
];
