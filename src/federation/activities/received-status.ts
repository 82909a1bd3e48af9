/** From a remote note to the message for its author's account: HTML is sanitised and mentions are resolved. */
import type { ReceivedStatus } from '../../actors/account/remote/remote.messages.ts';
import type { Tag } from '../../actors/account/statuses/statuses.records.ts';
import { escapeHtml } from '../../actors/text/escape.ts';
import { normaliseTagName } from '../../actors/text/hashtags.ts';
import { renderLink } from '../../actors/text/render.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import { firstPageIn } from '../../services/linked-page.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import type { Addressees } from './addressees.ts';
import type { Inbound, ResolvedStatus } from './inbound.ts';
import type { ReceivedFields } from './received-part.ts';

/** Facts about a note that are not part of it. */
export interface AroundNote {
  readonly addressees: Addressees;
  readonly parent: ResolvedStatus | undefined;
  readonly parts: ReceivedFields;
}

/** At once when the HTML needs no work. Rejects with Failure overloaded when too much HTML waits. */
export function receivedStatus(
  inbound: Inbound,
  note: RemoteNote,
  around: AroundNote,
): ReceivedStatus | Promise<ReceivedStatus> {
  const clean = note.content === '' ? '' : inbound.cleanHtml(note.content);
  if (typeof clean === 'string') return assemble(inbound, note, around, clean);
  return clean.then((html) => assemble(inbound, note, around, html));
}

function assemble(
  inbound: Inbound,
  note: RemoteNote,
  { addressees: { visibility, mentions, addressed, isLimited, localMentions }, parent, parts }: AroundNote,
  html: string,
): ReceivedStatus {
  const content = note.title === undefined ? html : withTitle(note, note.title, html);
  return withoutUndefined({
    uri: note.uri,
    url: note.url,
    publishedAt: note.publishedAt ?? inbound.now(),
    editedAt: note.editedAt,
    visibility,
    sensitive: note.sensitive,
    spoilerText: note.spoilerText,
    content,
    link: firstPageIn(inbound, content, mentions),
    language: note.language,
    inReplyToId: parent?.statusId,
    inReplyToAccountId: parent?.authorId,
    threadId: parent?.threadId,
    answersUnknown: note.inReplyTo !== undefined && parent === undefined ? true : undefined,
    mentions,
    addressed: addressed.length === 0 ? undefined : addressed,
    limited: isLimited ? true : undefined,
    localMentions,
    tags: tagsOf(note.hashtags),
    emojis: [...note.emojis],
    totals: note.totals,
    attachments: [],
    ...parts,
  });
}

/** Articles, videos and the like: title, when and where, text, the page that it is about, and a link to the object. */
function withTitle(note: RemoteNote, title: string, html: string): string {
  const heading = title === '' ? '' : `<p><strong>${escapeHtml(title)}</strong></p>`;
  const occasion = note.occasion === undefined ? '' : `<p>${escapeHtml(note.occasion)}</p>`;
  const page = note.url ?? note.uri;
  const linked =
    note.linkedPage === undefined || note.linkedPage === page ? '' : `<p>${renderLink(note.linkedPage)}</p>`;
  return `${heading}${occasion}${html}${linked}<p>${renderLink(page)}</p>`;
}

/** Each tag once, in order, with its first spelling. */
function tagsOf(hashtags: readonly string[]): Tag[] {
  const tags: Tag[] = [];
  for (const display of hashtags) {
    const name = normaliseTagName(display);
    if (name !== undefined && !tags.some((tag) => tag.name === name)) tags.push({ name, display });
  }
  return tags;
}
