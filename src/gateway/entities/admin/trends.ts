/** The entities of what trends as staff see it: Admin::Tag, Admin::Trends::Link and others. */
import { z } from 'zod';
import { idOfName } from '../../../actors/policy/derived-ids.ts';
import type { Publisher, ReviewedTag } from '../../../operations/trends/review-trends.ts';
import { TrendingLinkEntity } from '../preview-card.ts';
import { UserStatusEntity } from '../status-schema.ts';
import { type RelationToTag, TagEntity, tagEntity } from '../tag.ts';
import { flag, id, text, time, timestamp } from '../values.ts';

export const AdminTagEntity = z
  .strictObject({ ...TagEntity.shape, trendable: flag, usable: flag, listable: flag, requires_review: flag })
  .meta({ id: 'Admin.Tag' });

export function adminTagEntity(
  { name, history, isTrendable, isUsable, isListable, requiresReview }: ReviewedTag,
  origin: string,
  toUser: RelationToTag,
): z.output<typeof AdminTagEntity> {
  return {
    ...tagEntity(name, history, origin, toUser),
    trendable: isTrendable,
    usable: isUsable,
    listable: isListable,
    requires_review: requiresReview,
  };
}

/** Who may not review gets what everybody is shown. */
const review = { requires_review: flag.optional() };
export const AdminTrendingTagEntity = z.union([AdminTagEntity, TagEntity]);
export const AdminTrendingLinkEntity = z
  .strictObject({ ...TrendingLinkEntity.shape, id: id.optional(), ...review })
  .meta({ id: 'Admin.Trends.Link' });
export const AdminTrendingStatusEntity = UserStatusEntity.extend(review).meta({ id: 'Admin.Trends.Status' });

export const AdminPublisherEntity = z
  .strictObject({
    id,
    domain: text,
    trendable: flag.nullable(),
    reviewed_at: time.nullable(),
    /** Staff are not asked. */
    requested_review_at: z.null(),
    requires_review: flag,
  })
  .meta({ id: 'Admin.Trends.Publisher' });

export function adminPublisherEntity({
  domain,
  isTrendable,
  reviewedAt,
}: Publisher): z.output<typeof AdminPublisherEntity> {
  return {
    id: idOfName(domain),
    domain,
    trendable: isTrendable ?? null,
    reviewed_at: reviewedAt === undefined ? null : timestamp(reviewedAt),
    requested_review_at: null,
    requires_review: reviewedAt === undefined,
  };
}
