/** The shapes of the Status entity and of entities derived from it. */
import { z } from 'zod';
import { approvers, visibilities } from '../../actors/account/account.records.ts';
import { heldStates } from '../../actors/account/statuses/held-reply.records.ts';
import { quoteStates } from '../../operations/presentation/quotes.ts';
import { AccountEntity } from './account.ts';
import { CollectionEntity } from './collection.ts';
import { EmojiEntity } from './emoji.ts';
import { FilterResultEntity } from './filter.ts';
import { InteractionPolicyEntity } from './interaction-policy.ts';
import { MediaAttachmentEntity } from './media-attachment.ts';
import { OpenPollEntity, UserPollEntity } from './poll.ts';
import { PreviewCardEntity } from './preview-card.ts';
import { count, flag, id, language, text, time, url } from './values.ts';

const approversList = z.array(z.enum(approvers));
const approvalEntity = z.strictObject({
  automatic: approversList,
  manual: approversList,
  current_user: z.enum(['automatic', 'manual', 'denied', 'unknown']),
});

const statusFields = {
  id,
  uri: url,
  created_at: time,
  account: AccountEntity,
  content: text,
  visibility: z.enum(visibilities),
  sensitive: flag,
  spoiler_text: text,
  media_attachments: z.array(MediaAttachmentEntity),
  application: z.strictObject({ name: text, website: url.nullable() }).optional(),
  mentions: z.array(z.strictObject({ id, username: text, url, acct: text })),
  tags: z.array(z.strictObject({ name: text.min(1), url })),
  emojis: z.array(EmojiEntity),
  reblogs_count: count,
  favourites_count: count,
  quotes_count: count,
  replies_count: count,
  url: url.nullable(),
  in_reply_to_id: id.nullable(),
  in_reply_to_account_id: id.nullable(),
  card: PreviewCardEntity.nullable(),
  language: language.nullable(),
  edited_at: time.nullable(),
  quote_approval: approvalEntity,
  filtered: z.array(FilterResultEntity),
  tagged_collections: z.array(CollectionEntity),
  /** Absent where other servers may have it. */
  local_only: z.literal(true).optional(),
  /** Of a reply that its author and whoever is asked are shown; absent for all others. */
  reply_state: z.enum(heldStates).optional(),
  /** Both are absent where everybody may reply who may read it. */
  interaction_policy: InteractionPolicyEntity.optional(),
  reply_approval: approvalEntity.optional(),
};

type StatusFields = z.input<z.ZodObject<typeof statusFields>>;

/** Of the parts of a status, as every viewer is shown them. Absent where they depend on the viewer. */
export type FieldsOfParts = Partial<
  Pick<
    StatusFields,
    'media_attachments' | 'card' | 'tagged_collections' | 'interaction_policy' | 'local_only' | 'reply_state'
  >
> & {
  readonly poll?: null;
  readonly quote?: null;
};

/** What is the same for every viewer. */
export type SharedStatusFields = Omit<
  StatusFields,
  'account' | 'filtered' | 'quote_approval' | 'reply_approval' | keyof FieldsOfParts
> &
  FieldsOfParts;

/** The viewer state; `pinned` is present on own statuses that can be pinned. */
const viewerFields = { favourited: flag, reblogged: flag, muted: flag, bookmarked: flag, pinned: flag.optional() };

/** For a status that is itself shown in a quote. */
const ShallowQuoteEntity = z
  .strictObject({ state: z.enum(quoteStates), quoted_status_id: id.nullable() })
  .meta({ id: 'ShallowQuote' });

function statusWith<Fields extends z.ZodRawShape>(fields: Fields, quoteName: string) {
  const quoted = z.strictObject({ ...fields, quote: ShallowQuoteEntity.nullable(), reblog: z.null() });
  const quote = z
    .strictObject({ state: z.enum(quoteStates), quoted_status: quoted.nullable() })
    .meta({ id: quoteName })
    .nullable();
  const original = z.strictObject({ ...fields, quote, reblog: z.null() });
  return z.strictObject({ ...fields, quote, reblog: original.nullable() });
}

/** As a user sees it. */
export const UserStatusEntity = statusWith(
  { ...statusFields, ...viewerFields, poll: UserPollEntity.nullable() },
  'UserQuote',
).meta({
  id: 'UserStatus',
});
/** Without a user: no viewer state. */
export const OpenStatusEntity = statusWith({ ...statusFields, poll: OpenPollEntity.nullable() }, 'OpenQuote').meta({
  id: 'OpenStatus',
});
export const StatusEntity = z.union([UserStatusEntity, OpenStatusEntity]).meta({ id: 'Status' });

/** For a deletion: with the source text, for drafting it again. */
export const DeletedStatusEntity = UserStatusEntity.extend({ text }).meta({ id: 'DeletedStatus' });
export const StatusSourceEntity = z.strictObject({ id, text, spoiler_text: text }).meta({ id: 'StatusSource' });
/** A version of a status. */
export const StatusEditEntity = z
  .strictObject({
    content: text,
    spoiler_text: text,
    sensitive: flag,
    created_at: time,
    account: AccountEntity,
    media_attachments: z.array(MediaAttachmentEntity),
    emojis: z.array(EmojiEntity),
    poll: z.strictObject({ options: z.array(z.strictObject({ title: text })) }).optional(),
    quote: z.union([UserStatusEntity.shape.quote, OpenStatusEntity.shape.quote]).optional(),
  })
  .meta({ id: 'StatusEdit' });
export const ContextEntity = z
  .strictObject({ ancestors: z.array(StatusEntity), descendants: z.array(StatusEntity) })
  .meta({ id: 'Context' });
