/** Reads reviews of what trends. */
import type { Reader } from '../../../runtime/storage/reader.ts';
import { instanceKey } from '../instance.messages.ts';
import { type ReviewedKind, reviewedKinds, type TrendReview } from './trend-reviews.records.ts';
import { reviewKey, trendReviews } from './trend-reviews.state.ts';

export function findTrendReview(reader: Reader, kind: ReviewedKind, name: string): TrendReview | undefined {
  return reader.get(trendReviews, reviewKey({ kind, name }));
}

/** In no particular order. */
export function trendReviewsOf(reader: Reader, kind: ReviewedKind): TrendReview[] {
  return Array.from(reader.range(trendReviews, [instanceKey, reviewedKinds[kind]]), ({ value }) => value);
}
