/** The ScheduledStatus entity. */
import { z } from 'zod';
import { visibilities } from '../../actors/account/account.records.ts';
import { quotePolicies } from '../../actors/account/quotes/quotes.records.ts';
import type { ScheduledStatus } from '../../actors/account/scheduled/scheduled.records.ts';
import { replyPolicies } from '../../actors/account/statuses/reply-policy.records.ts';
import type { Dialect } from '../../actors/session/session.messages.ts';
import { MediaAttachmentEntity } from './media-attachment.ts';
import { count, flag, id, idOfNoUse, idOfNoUseFor, text, time, timestamp } from './values.ts';

export const ScheduledStatusEntity = z
  .strictObject({
    id,
    scheduled_at: time,
    params: z.strictObject({
      text,
      poll: z.strictObject({ options: z.array(text), expires_in: count, multiple: flag, hide_totals: flag }).nullable(),
      media_ids: z.array(id).nullable(),
      sensitive: flag.nullable(),
      spoiler_text: text.nullable(),
      visibility: z.enum(visibilities),
      in_reply_to_id: id.nullable(),
      language: text.nullable(),
      application_id: idOfNoUse.nullable(),
      scheduled_at: z.null(),
      idempotency: text.nullable(),
      with_rate_limit: flag,
      quoted_status_id: id.nullable(),
      quote_approval_policy: z.enum(quotePolicies).nullable(),
      reply_approval_policy: z.enum(replyPolicies).nullable(),
      local_only: flag,
    }),
    media_attachments: z.array(MediaAttachmentEntity),
  })
  .meta({ id: 'ScheduledStatus' });

export function scheduledStatusEntity(
  scheduled: ScheduledStatus,
  dialect: Dialect,
  /** Those of its media. */
  attachments: z.output<typeof MediaAttachmentEntity>[],
): z.output<typeof ScheduledStatusEntity> {
  const { post } = scheduled;
  return {
    id: scheduled.id.toString(),
    scheduled_at: timestamp(scheduled.scheduledAt),
    params: {
      text: post.text,
      poll: post.poll === undefined ? null : pollParameters(post.poll),
      media_ids: post.mediaIds?.map(String) ?? null,
      sensitive: post.sensitive ?? null,
      spoiler_text: post.spoilerText,
      visibility: post.visibility,
      in_reply_to_id: post.inReplyToId?.toString() ?? null,
      language: post.language ?? null,
      application_id: post.applicationId === undefined ? null : idOfNoUseFor(dialect, post.applicationId),
      scheduled_at: null,
      idempotency: post.idempotencyKey ?? null,
      with_rate_limit: false,
      quoted_status_id: post.quotedStatusId?.toString() ?? null,
      quote_approval_policy: post.quotePolicy ?? null,
      reply_approval_policy: post.replyPolicy ?? null,
      local_only: post.localOnly ?? false,
    },
    media_attachments: attachments,
  };
}

function pollParameters(poll: NonNullable<ScheduledStatus['post']['poll']>) {
  const { options, expiresInSeconds, multiple, hideTotals } = poll;
  return { options: [...options], expires_in: expiresInSeconds, multiple, hide_totals: hideTotals };
}
