/**
 * What apps with typed models read of the Mastodon API: an answer in which one of these fields is missing, null or of
 * another type is lost to them as a whole. Each field is one that Ice Cubes or the official apps for Android and iOS
 * demand; enumerations have the values that these apps know. What they ignore is not here.
 */
import { z } from 'zod';

const text = z.string();
const flag = z.boolean();
const count = z.int().min(0);
const id = text.min(1);
const address = z.url({ protocol: /^https?$/ });
const time = z.iso.datetime({ precision: 3 });
const day = z.iso.date();
const visibility = z.enum(['public', 'unlisted', 'private', 'direct']);
const context = z.enum(['home', 'notifications', 'public', 'thread', 'account']);
const rule = z.enum(['accept', 'filter', 'drop']);

const field = z.object({ name: text, value: text, verified_at: time.nullable() });
const emoji = z.object({ shortcode: text, url: address, static_url: address });

export const account = z.object({
  ...{ id, username: text, acct: text, url: address, display_name: text, note: text },
  ...{ avatar: address, avatar_static: address, header: address, header_static: address },
  ...{ locked: flag, bot: flag, discoverable: flag.nullable(), created_at: time, last_status_at: day.nullable() },
  ...{ statuses_count: count, followers_count: count, following_count: count },
  fields: z.array(field),
  emojis: z.array(emoji),
});

export const ownAccount = account.extend({
  source: z.object({
    ...{ note: text, privacy: visibility, sensitive: flag, language: text.nullable(), follow_requests_count: count },
    fields: z.array(field),
  }),
  role: z.object({ id, name: text, color: text, permissions: text.regex(/^\d+$/), highlighted: flag }),
});

export const poll = z.object({
  ...{ id, expires_at: time, expired: flag, multiple: flag, votes_count: count, voted: flag },
  own_votes: z.array(count),
  options: z.array(z.object({ title: text, votes_count: count })),
  emojis: z.array(emoji),
});

const filterInStatus = z.object({
  ...{
    id,
    title: text,
    filter_action: z.enum(['warn', 'hide']),
    context: z.array(context),
    expires_at: time.nullable(),
  },
});

export const filter = filterInStatus.extend({
  keywords: z.array(z.object({ id, keyword: text, whole_word: flag })),
  statuses: z.array(z.object({ id, status_id: id })),
});

const shallowStatus = z.object({
  ...{ id, uri: address, url: address, created_at: time, edited_at: time.nullable(), account, content: text },
  ...{ visibility, sensitive: flag, spoiler_text: text, language: text.nullable() },
  ...{ in_reply_to_id: id.nullable(), in_reply_to_account_id: id.nullable() },
  ...{ replies_count: count, reblogs_count: count, favourites_count: count, quotes_count: count },
  ...{ favourited: flag, reblogged: flag, muted: flag, bookmarked: flag },
  media_attachments: z.array(z.unknown()),
  mentions: z.array(z.object({ id, username: text, acct: text, url: address })),
  tags: z.array(z.object({ name: text, url: address })),
  emojis: z.array(emoji),
  poll: poll.nullable(),
  filtered: z.array(z.object({ filter: filterInStatus, keyword_matches: z.array(text).nullable() })),
  quote_approval: z.object({
    automatic: z.array(text),
    manual: z.array(text),
    current_user: z.enum(['automatic', 'manual', 'denied', 'unknown']),
  }),
});
const quoteState = z.enum(['accepted', 'pending', 'rejected', 'revoked', 'deleted', 'unauthorized']);

export const status = shallowStatus.extend({
  reblog: shallowStatus.nullable(),
  quote: z.object({ state: quoteState, quoted_status: shallowStatus.nullable() }).nullable(),
});

export const thread = z.object({ ancestors: z.array(status), descendants: z.array(status).min(1) });

export const statusEdit = z.object({
  ...{ content: text, spoiler_text: text, sensitive: flag, created_at: time, account },
  media_attachments: z.array(z.unknown()),
  emojis: z.array(emoji),
});

export const relationship = z.object({
  ...{ id, following: flag, showing_reblogs: flag, notifying: flag, followed_by: flag, requested: flag, note: text },
  ...{
    blocking: flag,
    blocked_by: flag,
    muting: flag,
    muting_notifications: flag,
    domain_blocking: flag,
    endorsed: flag,
  },
});

export const tag = z.object({
  ...{ name: text, url: address, following: flag },
  history: z.array(z.object({ day: text, uses: text, accounts: text })),
});
export const featuredTag = z.object({ id, name: text, url: address, statuses_count: text.regex(/^\d+$/) });

export const notification = z.object({ id, type: text, created_at: time, account, status: status.optional() });

export const groups = z.object({
  accounts: z.array(account).min(1),
  statuses: z.array(status).min(1),
  notification_groups: z
    .array(
      z.object({
        ...{ group_key: text, notifications_count: count, type: text, most_recent_notification_id: z.number() },
        ...{ page_min_id: id, page_max_id: id, latest_page_notification_at: time, status_id: id.optional() },
        sample_account_ids: z.array(id).min(1),
      }),
    )
    .min(1),
});

export const notificationPolicy = z.object({
  ...{ for_not_following: rule, for_not_followers: rule, for_new_accounts: rule },
  ...{ for_private_mentions: rule, for_limited_accounts: rule },
  summary: z.object({ pending_requests_count: count, pending_notifications_count: count }),
});
export const notificationRequest = z.object({
  ...{ id, created_at: time, updated_at: time, account, notifications_count: text.regex(/^\d+$/) },
  last_status: status.nullable(),
});

export const conversation = z.object({ id, unread: flag, accounts: z.array(account), last_status: status.nullable() });

export const list = z.object({
  id,
  title: text,
  replies_policy: z.enum(['followed', 'list', 'none']),
  exclusive: flag,
});

export const searchResults = z.object({
  accounts: z.array(account),
  statuses: z.array(status),
  hashtags: z.array(tag),
});

export const marker = z.object({ last_read_id: id, version: z.int(), updated_at: time });

export const scheduledStatus = z.object({
  ...{ id, scheduled_at: time, media_attachments: z.array(z.unknown()) },
  params: z.object({
    text,
    visibility,
    sensitive: flag.nullable(),
    spoiler_text: text.nullable(),
    application_id: z.int32(),
  }),
});

export const preferences = z.object({
  'posting:default:visibility': visibility,
  'posting:default:sensitive': flag,
  'posting:default:language': text.nullable(),
  'reading:expand:media': z.enum(['default', 'show_all', 'hide_all']),
  'reading:expand:spoilers': flag,
});

export const pushSubscription = z.object({
  ...{
    id: z.int32().min(0),
    endpoint: address,
    server_key: text,
    policy: z.enum(['all', 'followed', 'follower', 'none']),
  },
  alerts: z.object({ follow: flag, favourite: flag, reblog: flag, mention: flag, poll: flag }),
});

const collectionItem = z.object({ id, account_id: id, state: text, created_at: time });
export const collection = z.object({
  collection: z.object({
    ...{ id, account_id: id, uri: address, url: address, name: text, description: text, language: text.nullable() },
    ...{ local: flag, sensitive: flag, discoverable: flag, created_at: time, updated_at: time, item_count: count },
    items: z.array(collectionItem).min(1),
  }),
  accounts: z.array(account).min(1),
});

const limits = {
  statuses: z.object({
    max_characters: z.int32(),
    max_media_attachments: count,
    characters_reserved_per_url: count,
  }),
  polls: z.object({
    ...{ max_options: count, max_characters_per_option: count, min_expiration: count, max_expiration: count },
  }),
};
export const instance = z.object({
  ...{ domain: text, title: text, description: text, version: text.regex(/^\d+\.\d+\.\d+ /) },
  api_versions: z.object({ mastodon: z.int() }),
  languages: z.array(text),
  registrations: z.object({ enabled: flag, approval_required: flag }),
  thumbnail: z.object({ url: address }),
  contact: z.object({ email: text, account: account.nullable() }),
  rules: z.array(z.object({ id, text })),
  usage: z.object({ users: z.object({ active_month: count }) }),
  configuration: z.object({ ...limits, urls: z.object({ streaming: text }), translation: z.object({ enabled: flag }) }),
});
export const instanceV1 = z.object({
  ...{ uri: text, title: text, description: text, short_description: text, email: text, version: text },
  ...{ registrations: flag, approval_required: flag, invites_enabled: flag, languages: z.array(text).min(1) },
  urls: z.object({ streaming_api: text }),
  stats: z.object({ user_count: count, status_count: count, domain_count: count }),
  configuration: z.object(limits),
});
