/** Statuses, as somebody with a token and as everybody sees them, and what is made of them. */
import { z } from 'zod';
import { account, customEmoji } from './accounts.ts';
import { count, flag, id, language, text, time, url } from './values.ts';

const approvers = z.array(z.enum(['public', 'followers', 'following', 'unsupported_policy']));

/** No media, polls, cards, quotes or filters are served yet, so those are empty. */
const statusFields = {
  id,
  uri: url,
  created_at: time,
  account,
  content: text,
  visibility: z.enum(['public', 'unlisted', 'private', 'direct']),
  sensitive: flag,
  spoiler_text: text,
  media_attachments: z.tuple([]),
  application: z.strictObject({ name: text, website: url.nullable() }).optional(),
  mentions: z.array(z.strictObject({ id, username: text, url, acct: text })),
  tags: z.array(z.strictObject({ name: text.min(1), url })),
  emojis: z.array(customEmoji),
  reblogs_count: count,
  favourites_count: count,
  quotes_count: count,
  replies_count: count,
  url: url.nullable(),
  in_reply_to_id: id.nullable(),
  in_reply_to_account_id: id.nullable(),
  poll: z.null(),
  card: z.null(),
  language: language.nullable(),
  edited_at: time.nullable(),
  quote: z.null(),
  quote_approval: z.strictObject({
    automatic: approvers,
    manual: approvers,
    current_user: z.enum(['automatic', 'manual', 'denied', 'unknown']),
  }),
  filtered: z.tuple([]),
  tagged_collections: z.tuple([]),
};

/** Only user tokens have these; `pinned` stands on own statuses that can be pinned. */
const markFields = { favourited: flag, reblogged: flag, muted: flag, bookmarked: flag, pinned: flag.optional() };

function statusWith<Fields extends z.ZodRawShape>(fields: Fields) {
  const original = z.strictObject({ ...fields, reblog: z.null() });
  return z.strictObject({ ...fields, reblog: original.nullable() });
}

/** Of a request with a user's token. */
export const status = statusWith({ ...statusFields, ...markFields });
/** Of a request without one: what a status is to a viewer is absent. */
export const openStatus = statusWith(statusFields);
/** Of a deletion: with the source for drafting it again. */
export const deletedStatus = status.extend({ text });

export const statusSource = z.strictObject({ id, text, spoiler_text: text });

export const context = z.strictObject({ ancestors: z.array(status), descendants: z.array(status) });
export const openContext = z.strictObject({ ancestors: z.array(openStatus), descendants: z.array(openStatus) });

const notificationFields = { id, group_key: text.min(1), created_at: time, account };

/** Only what is about a status has one. */
export const notification = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['follow', 'follow_request']), ...notificationFields }),
  z.strictObject({
    type: z.enum(['mention', 'status', 'reblog', 'favourite', 'update']),
    ...notificationFields,
    status,
  }),
]);
