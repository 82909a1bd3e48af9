/** Keeps what staff decide about trends. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import { withoutUndefined } from '../../../runtime/plain-data.ts';
import { countEntries } from '../../../runtime/storage/rules.ts';
import { recordAudit } from '../../audit.state.ts';
import { Instance, instanceKey } from '../instance.messages.ts';
import { settings } from '../instance.state.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import { type ReviewedTrend, reviewedKinds, type TrendReview } from './trend-reviews.records.ts';
import { isForgotten, reviewKey, trendReviews } from './trend-reviews.state.ts';

const keptMilliseconds = 30 * 24 * 60 * 60 * 1_000;

export function reviewTrend(turn: InstanceTurn, message: BodyOf<typeof Instance.reviewTrend>): undefined {
  const { audit, label, kind, name, ...decision } = message;
  const reviewed = { kind, name };
  const before = turn.get(trendReviews, reviewKey(reviewed));
  if (before === undefined) refuseTooMany(turn, reviewed);
  const after: TrendReview = { ...reviewed, ...before, ...withoutUndefined(decision), reviewedAt: turn.now };
  turn.put(trendReviews, reviewKey(reviewed), after);
  if (before === undefined && isForgotten(reviewed))
    turn.schedule(turn.now + keptMilliseconds, Instance.forgetTrendReview.to(instanceKey, reviewed));
  if (kind === 'tag' && decision.isUsable === true) allowHashtag(turn, name);
  recordAudit(turn, audit, { targetId: name, name: label, before: factsOf(before), after: factsOf(after) });
}

export function forgetTrendReview(turn: InstanceTurn, reviewed: BodyOf<typeof Instance.forgetTrendReview>): undefined {
  turn.delete(trendReviews, reviewKey(reviewed));
}

function refuseTooMany(turn: InstanceTurn, { kind }: ReviewedTrend): void {
  if (countEntries(turn, trendReviews, [instanceKey, reviewedKinds[kind]]) >= instanceLimits.trendReviewsMax)
    throw validationFailure('There are too many reviews of this kind');
}

/** Disallowed hashtags are a setting of their own, which a later decision about the same tag replaces. */
function allowHashtag(turn: InstanceTurn, name: string): void {
  const stored = turn.get(settings, [turn.self.key]);
  if (stored?.disallowedHashtags?.includes(name) !== true) return;
  const disallowedHashtags = stored.disallowedHashtags.filter((other) => other !== name);
  turn.put(settings, [turn.self.key], { ...stored, disallowedHashtags });
}

function factsOf(review: TrendReview | undefined) {
  return { trendable: review?.isTrendable, usable: review?.isUsable, listable: review?.isListable };
}
