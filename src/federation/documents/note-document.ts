/** A local status as a Note or Question. */
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { Mention, Status, StatusCounters } from '../../actors/account/statuses/statuses.records.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import { likesAddress, repliesAddress, sharesAddress } from '../local-addresses.ts';
import { type Audience, audienceOf } from './audience.ts';
import { totalCollection } from './collections.ts';
import { writeParts } from './note-parts.ts';
import { emojiTag } from './pictures.ts';
import { statusAddress } from './quote-documents.ts';
import { secondsTime } from './times.ts';

/** The URI of a local or remote account; undefined when it is unknown. */
export function accountAddress(reader: Reader, addresses: Addresses, accountId: Id): string | undefined {
  const profile = findProfile(reader, accountId);
  return profile === undefined ? undefined : (profile.remote?.uri ?? addresses.actor(profile.username));
}

export interface NoteOptions {
  /** Addresses of the author's own replies, embedded so that they need not be fetched. */
  readonly selfReplies?: readonly string[];
  /** Totals of its favourites and reblogs, for those who fetch it; a new post has none. */
  readonly counters?: Pick<StatusCounters, 'favourites' | 'reblogs' | 'replies'>;
}

/** Without `@context`, for a document or inside an activity. `username` is the author's. */
export function noteDocument(
  reader: Reader,
  addresses: Addresses,
  status: Status,
  username: string,
  options: NoteOptions = {},
): JsonObject {
  const uri = addresses.status(username, status.id);
  const content = addresses.absoluteLinks(status.content);
  const mentioned = status.mentions.map((mention) => mentionTag(reader, addresses, mention));
  const parent = status.inReplyToId === undefined ? undefined : statusAddress(reader, addresses, status.inReplyToId);
  const { properties, tags } = writeParts(status, { reader, addresses, username });
  return {
    id: uri,
    type: 'Note',
    summary: status.spoilerText === '' ? null : status.spoilerText,
    inReplyTo: parent ?? null,
    published: secondsTime(status.createdAt),
    ...(status.editedAt === undefined ? {} : { updated: secondsTime(status.editedAt) }),
    url: addresses.statusPage(username, status.id),
    attributedTo: addresses.actor(username),
    ...noteAudience(addresses, status, username, mentioned),
    sensitive: status.sensitive || findProfile(reader, status.accountId)?.sensitized === true,
    content,
    ...(status.language === undefined ? {} : { contentMap: { [status.language]: content } }),
    ...properties,
    tag: [
      ...mentioned.map(({ href, name }) => ({ type: 'Mention', href, name })),
      ...status.tags.map(({ name, display }) => ({ type: 'Hashtag', href: addresses.tag(name), name: `#${display}` })),
      ...status.emojis.map((emoji) => emojiTag(emoji, addresses)),
      ...tags,
    ],
    replies: repliesStub(repliesAddress(addresses, username, status.id), options),
    ...(options.counters === undefined ? {} : totalsOf(addresses, status.id, username, options.counters)),
  };
}

function totalsOf(
  addresses: Addresses,
  statusId: Id,
  username: string,
  { favourites, reblogs }: NonNullable<NoteOptions['counters']>,
): JsonObject {
  return {
    likes: totalCollection(likesAddress(addresses, username, statusId), favourites),
    shares: totalCollection(sharesAddress(addresses, username, statusId), reblogs),
  };
}

interface MentionedActor {
  readonly href: string;
  readonly name: string;
}

function mentionTag(reader: Reader, addresses: Addresses, mention: Mention): MentionedActor {
  const acct = mention.acct.includes('@') ? mention.acct : `${mention.acct}@${addresses.domain}`;
  return { href: accountAddress(reader, addresses, mention.id) ?? addresses.absolute(mention.url), name: `@${acct}` };
}

function noteAudience(
  addresses: Addresses,
  status: Status,
  username: string,
  mentioned: readonly MentionedActor[],
): Audience & JsonObject {
  const { to, cc } = audienceOf(
    status.visibility,
    addresses.followers(username),
    mentioned.map(({ href }) => href),
  );
  return { to, cc };
}

/** The first page is embedded, so that servers that fetch every reply collection need not request it. */
function repliesStub(id: string, { selfReplies = [], counters }: NoteOptions): JsonObject {
  return {
    id,
    type: 'Collection',
    ...(counters === undefined ? {} : { totalItems: counters.replies }),
    first: { type: 'CollectionPage', partOf: id, items: selfReplies, next: `${id}?page=true` },
  };
}
