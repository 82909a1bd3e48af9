/**
 * The Status entity without viewer state, which is encoded separately and appended (encoded-status.ts), so that this
 * part is encoded once and cached.
 */

import type { Mention, Tag } from '../../actors/account/statuses/statuses.records.ts';
import { shownVisibility } from '../../actors/policy/visibility.ts';
import type { EncodableView } from '../../operations/presentation/cached-status.ts';
import type { Addresses } from '../../services/addresses.ts';
import { emojiEntities } from './emoji.ts';
import { sharedFields } from './status-parts.ts';
import type { SharedStatusFields } from './status-schema.ts';
import { timestamp } from './values.ts';

export function statusUri(view: Pick<EncodableView, 'status' | 'author'>, addresses: Addresses): string {
  const { status, author } = view;
  if (status.uri !== undefined) return status.uri;
  if (status.activityUri !== undefined) return status.activityUri;
  if (status.reblogOfId !== undefined) return addresses.statusActivity(author.profile.username, status.id);
  return addresses.status(author.profile.username, status.id);
}

/** What is the same for every viewer, without the account and the reblogged status. */
export function statusFields(view: EncodableView, addresses: Addresses): SharedStatusFields {
  const { status, counters, author } = view;
  const uri = statusUri(view, addresses);
  const local = author.profile.remote === undefined;
  const fields: SharedStatusFields = {
    id: status.id.toString(),
    uri,
    url:
      local && status.reblogOfId === undefined
        ? addresses.statusPage(author.profile.username, status.id)
        : (status.url ?? uri),
    created_at: timestamp(status.createdAt),
    edited_at: status.editedAt === undefined ? null : timestamp(status.editedAt),
    content: local ? addresses.absoluteLinks(status.content) : status.content,
    visibility: shownVisibility(status),
    sensitive: status.sensitive,
    spoiler_text: status.spoilerText,
    language: status.language ?? null,
    in_reply_to_id: status.inReplyToId?.toString() ?? null,
    in_reply_to_account_id: status.inReplyToAccountId?.toString() ?? null,
    mentions: status.mentions.map((mention) => mentionEntity(mention, addresses)),
    tags: status.tags.map((tag) => tagEntity(tag, addresses)),
    emojis: emojiEntities(status.emojis, addresses, author.profile),
    reblogs_count: counters.reblogs,
    favourites_count: counters.favourites,
    replies_count: counters.replies,
    quotes_count: counters.quotes,
    ...sharedFields(view, addresses),
  };
  if (status.application !== undefined) {
    fields.application = { name: status.application.name, website: status.application.website ?? null };
  }
  return fields;
}

function mentionEntity(
  { id, username, url, acct }: Mention,
  addresses: Addresses,
): SharedStatusFields['mentions'][number] {
  return { id: id.toString(), username, url: addresses.absolute(url), acct };
}

function tagEntity(tag: Tag, addresses: Addresses): SharedStatusFields['tags'][number] {
  return { name: tag.name, url: addresses.tag(tag.name) };
}
