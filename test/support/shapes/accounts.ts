/** Accounts and what is said about them: every field that is not optional is there, with its type, and no unknown one. */
import { z } from 'zod';
import { count, date, flag, id, language, midnight, smallId, text, time, url } from './values.ts';

export const customEmoji = z.strictObject({
  shortcode: text,
  url,
  static_url: url,
  visible_in_picker: flag,
  category: text.nullable(),
});

const field = z.strictObject({ name: text, value: text, verified_at: time.nullable() });
const accountRole = z.strictObject({ id: smallId, name: text, color: text });
const approvers = z.array(z.enum(['public', 'followers', 'following', 'unsupported_policy']));

const accountFields = {
  id,
  username: text.min(1),
  acct: text.min(1),
  url: url.nullable(),
  uri: url,
  display_name: text,
  note: text,
  avatar: url,
  avatar_static: url,
  avatar_description: text,
  header: url,
  header_static: url,
  header_description: text,
  locked: flag,
  fields: z.array(field),
  emojis: z.array(customEmoji),
  bot: flag,
  group: flag,
  discoverable: flag.nullable(),
  indexable: flag,
  noindex: flag.nullable().optional(),
  memorial: flag.optional(),
  suspended: flag.optional(),
  limited: flag.optional(),
  created_at: midnight,
  last_status_at: date.nullable(),
  statuses_count: count,
  followers_count: count,
  following_count: count,
  hide_collections: flag.nullable(),
  show_media: flag,
  show_media_replies: flag,
  show_featured: flag,
  roles: z.array(accountRole).nullable(),
  feature_approval: z.strictObject({
    automatic: approvers,
    manual: approvers,
    current_user: z.enum(['automatic', 'manual', 'denied', 'unknown', 'missing']),
  }),
};

/** `moved` is never nested twice. */
export const account = z.strictObject({
  ...accountFields,
  moved: z.strictObject(accountFields).nullable().optional(),
});

export const mutedAccount = account.extend({ mute_expires_at: time.nullable() });

export const credentialAccount = account.extend({
  source: z.strictObject({
    attribution_domains: z.array(text),
    note: text,
    raw_note: text,
    fields: z.array(field),
    privacy: z.enum(['public', 'unlisted', 'private', 'direct']),
    sensitive: flag,
    language: language.or(z.literal('')),
    follow_requests_count: count,
    hide_collections: flag.nullable(),
    discoverable: flag.nullable(),
    indexable: flag,
    quote_policy: z.enum(['public', 'followers', 'nobody']),
  }),
  role: accountRole.extend({ permissions: z.string().regex(/^[0-9]+$/), highlighted: flag, collection_limit: count }),
});

/** `following` is the one field that differs by dialect. */
export const relationships = {
  specification: relationshipWith(z.union([z.literal(false), z.strictObject({ reblogs: flag })])),
  mastodon: relationshipWith(flag),
} as const;

function relationshipWith<Following extends z.ZodType>(following: Following) {
  return z.strictObject({
    id,
    following,
    showing_reblogs: flag,
    notifying: flag,
    languages: z.array(language).nullable(),
    followed_by: flag,
    blocking: flag,
    blocked_by: flag,
    muting: flag,
    muting_notifications: flag,
    muting_expires_at: time.nullable(),
    requested: flag,
    requested_by: flag,
    domain_blocking: flag,
    endorsed: flag,
    note: text,
  });
}

/** The last two are of newer releases than the reference. */
export const preferences = z.strictObject({
  'posting:default:visibility': z.enum(['public', 'unlisted', 'private', 'direct']),
  'posting:default:sensitive': flag,
  'posting:default:language': language.nullable(),
  'reading:expand:media': z.enum(['default', 'show_all', 'hide_all']),
  'reading:expand:spoilers': flag,
  'posting:default:quote_policy': z.enum(['public', 'followers', 'nobody']),
  'reading:autoplay:gifs': flag,
});
