/** What staff have decided about what trends. Times are milliseconds since 1970. */
import { z } from 'zod';

/** Each kind with the number under which its reviews are stored: append-only. */
export const reviewedKinds = { tag: 1, link: 2, publisher: 3, status: 4, account: 5 } as const;
export type ReviewedKind = keyof typeof reviewedKinds;
export const ReviewedKind = z.enum(Object.keys(reviewedKinds) as [ReviewedKind, ...ReviewedKind[]]);

/** What was not decided follows from elsewhere: a link from its publisher, a status from its author, all from settings. */
const Decision = {
  isTrendable: z.boolean().optional(),
  /** Of a tag: whether posts here may contain it, and whether searches suggest it. */
  isUsable: z.boolean().optional(),
  isListable: z.boolean().optional(),
};

/** By the name of a tag, the address of a page, the host of a publisher, the id of a status or an account. */
export const ReviewedTrend = z.object({ kind: ReviewedKind, name: z.string() });
export type ReviewedTrend = z.infer<typeof ReviewedTrend>;

export const TrendReview = ReviewedTrend.extend({ reviewedAt: z.number(), ...Decision });
export type TrendReview = z.infer<typeof TrendReview>;

export const TrendDecision = ReviewedTrend.extend(Decision);
