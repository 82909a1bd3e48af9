/** The shapes of the documents about the server. */
import { z } from 'zod';
import { replyPolicies } from '../../actors/account/statuses/reply-policy.records.ts';
import { feedAccesses } from '../../actors/policy/feed-access.ts';
import { AccountEntity } from './account.ts';
import { count, date, flag, language, smallId, text, time, url } from './values.ts';

const streamingAddress = z.url({ protocol: /^wss?$/ });
const access = z.strictObject({ local: z.enum(feedAccesses), remote: z.enum(feedAccesses) });
const picture = { url, blurhash: text.min(6), versions: z.strictObject({ '@1x': url, '@2x': url }).optional() };
const statuses = { max_characters: count, max_media_attachments: count, characters_reserved_per_url: count };
const mediaAttachments = {
  supported_mime_types: z.array(text),
  image_size_limit: count,
  image_matrix_limit: count,
  video_size_limit: count,
  video_frame_rate_limit: count,
  video_matrix_limit: count,
};
const polls = z.strictObject({
  max_options: count,
  max_characters_per_option: count,
  min_expiration: count,
  max_expiration: count,
});

export const RuleEntity = z
  .strictObject({
    id: smallId,
    text,
    hint: text,
    translations: z.record(language, z.strictObject({ text, hint: text })),
  })
  .meta({ id: 'Rule' });

/** What no other server has, for applications that know this one. */
const ownFeatures = z.strictObject({
  streaming: z.strictObject({
    resumes: flag,
    watched_channels: z.array(text),
    max_channels: count,
    max_watched_channels: count,
    compression: flag,
  }),
  posting: z.strictObject({ local_only: flag, reply_policies: z.array(z.enum(replyPolicies)) }),
});

export const InstanceEntity = z.strictObject({
  domain: text,
  title: text,
  version: z.string().regex(/^4\.\d+\.\d+/, 'does not begin with a version of Mastodon'),
  source_url: url,
  description: text,
  wrapstodon: text.nullable(),
  usage: z.strictObject({ users: z.strictObject({ active_month: count }) }),
  thumbnail: z.strictObject({ ...picture, description: text }),
  banner: z.strictObject(picture),
  icon: z.array(z.strictObject({ src: text, size: text })),
  languages: z.array(language),
  configuration: z.strictObject({
    urls: z.strictObject({
      streaming: streamingAddress,
      status: url.nullable(),
      about: url,
      privacy_policy: url.nullable(),
      terms_of_service: url.nullable(),
    }),
    vapid: z.strictObject({ public_key: z.base64url().length(87) }),
    accounts: z.strictObject({
      max_display_name_length: count,
      max_note_length: count,
      max_avatar_description_length: count,
      max_header_description_length: count,
      max_featured_tags: count,
      max_pinned_statuses: count,
      max_profile_fields: count,
      profile_field_name_limit: count,
      profile_field_value_limit: count,
    }),
    statuses: z.strictObject(statuses),
    media_attachments: z.strictObject({ ...mediaAttachments, description_limit: count }),
    polls,
    translation: z.strictObject({ enabled: flag }),
    timelines_access: z.strictObject({ live_feeds: access, hashtag_feeds: access, trending_link_feeds: access }),
    limited_federation: flag,
  }),
  registrations: z.strictObject({
    enabled: flag,
    approval_required: flag,
    message: text.nullable(),
    min_age: count.nullable(),
    reason_required: flag.nullable(),
    url: url.nullable(),
  }),
  api_versions: z.strictObject({ mastodon: count }),
  murmuration: ownFeatures,
  contact: z.strictObject({ email: text, account: AccountEntity.nullable() }),
  rules: z.array(RuleEntity),
});

export const FirstInstanceEntity = z.strictObject({
  uri: text,
  title: text,
  short_description: text,
  description: text,
  email: text,
  version: z.string().regex(/^4\.\d+\.\d+/),
  urls: z.strictObject({ streaming_api: streamingAddress }),
  stats: z.strictObject({ user_count: count, status_count: count, domain_count: count }),
  thumbnail: url.nullable(),
  languages: z.array(language),
  registrations: flag,
  approval_required: flag,
  invites_enabled: flag,
  configuration: z.strictObject({
    accounts: z.strictObject({ max_featured_tags: count }),
    statuses: z.strictObject(statuses),
    media_attachments: z.strictObject(mediaAttachments),
    polls,
  }),
  contact_account: AccountEntity.nullable(),
  murmuration: ownFeatures,
  rules: z.array(RuleEntity),
});

/** A document that was never written has no time of update. */
export const StaffDocumentEntity = z.strictObject({ content: text, updated_at: time.nullable() });
export const TermsOfServiceEntity = z.strictObject({
  effective_date: date,
  effective: flag,
  content: text,
  succeeded_by: date.nullable(),
});
export const DomainBlockEntity = z.strictObject({
  domain: text,
  digest: z.hash('sha256'),
  severity: z.enum(['silence', 'suspend']),
  comment: text.optional(),
});
const digits = z.string().regex(/^[0-9]+$/);
/**
 * A week of the instance's activity: every number is a string (specification 2.7), `week` the second of its beginning.
 */
export const WeekEntity = z.strictObject({ week: digits, statuses: digits, logins: digits, registrations: digits });
export const LanguagesEntity = z.array(z.strictObject({ code: language, name: text.min(1) }));
