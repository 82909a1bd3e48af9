/** Reviews of what trends. Message numbers 480 and 481 of the instance. */
import { z } from 'zod';
import { call, cast } from '../../../runtime/contract.ts';
import { audited } from '../../audit.records.ts';
import { ReviewedTrend, TrendDecision } from './trend-reviews.records.ts';

export const trendReviewMessages = {
  /** What is not given stays as it is. `label`: for the audit log. Throws Failure validation above the bound. */
  reviewTrend: call(480, TrendDecision.extend({ label: z.string(), ...audited }), z.undefined()),
  /** The timer: a link or a status stops to trend long before, and its review is of no use any more. */
  forgetTrendReview: cast(481, ReviewedTrend),
};
