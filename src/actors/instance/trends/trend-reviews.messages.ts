/** Reviews of what trends. Message numbers 480, 481 and 535 of the instance. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { audited } from '../../audit.records.ts';
import { ReviewedTrend, TrendDecision } from './trend-reviews.records.ts';

export const trendReviewMessages = {
  /** What is not given stays as it is. `label`: for the audit log. Throws Failure validation above the bound. */
  reviewTrend: call(480, TrendDecision.extend({ label: z.string(), ...audited }), z.undefined()),
  /** The timer: a link or a status stops to trend long before, and its review is of no use any more. */
  forgetTrendReview: cast(481, ReviewedTrend),
  /** What would trend, and awaits a review. `staffIds`: who is told. */
  trendsFound: call(
    535,
    z.object({
      tags: z.array(z.string()),
      links: z.array(z.object({ url: z.string(), title: z.string() })),
      statusIds: z.array(identifier),
      staffIds: z.array(identifier),
    }),
    Done,
  ),
};
