/**
 * Takes over one post of an archive for its author: its text is written anew here, its files pass the checks of all uploads, and
 * what it answers is found among what was imported before, or is known here.
 */
import { Account } from '../../../actors/account/account.messages.ts';
import { importedStatusId } from '../../../actors/account/imports/imports.queries.ts';
import type { RowResult } from '../../../actors/account/imports/imports.records.ts';
import { mediaLimits as attachmentLimits } from '../../../actors/account/media/limits.ts';
import type { DecodedMedia } from '../../../actors/account/media/media.effects.ts';
import type { Attachment } from '../../../actors/account/media/media.records.ts';
import { findLogin, quotePolicyOf, replyPolicyOf } from '../../../actors/account/profile/logins.queries.ts';
import { findStatusRecord } from '../../../actors/account/remote/federation.queries.ts';
import { type Status, threadOf } from '../../../actors/account/statuses/statuses.records.ts';
import { quoteApprovalOf } from '../../../actors/policy/quotes.ts';
import { replyApprovalOf } from '../../../actors/policy/replies.ts';
import { cleanText } from '../../../actors/text/characters.ts';
import { extractTokens } from '../../../actors/text/extract.ts';
import { toSourceText } from '../../../actors/text/source-text.ts';
import type { RemotePoll } from '../../../federation/documents/read-poll.ts';
import type { KnownAccount } from '../../../federation/known-accounts.ts';
import { Failure, isRefusal } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { withoutUndefined } from '../../../runtime/plain-data.ts';
import type { NetworkServices } from '../../../services/network-services.ts';
import { type AccountCaller, flowOf } from '../../caller.ts';
import { decodeUpload } from '../../media/decode-upload.ts';
import type { OperationContext } from '../../operation.ts';
import { knownAtAddress } from '../../search/resolve-address.ts';
import { withRanks } from '../../statuses/mention-ranks.ts';
import { handlesOf, knownMentions } from '../../statuses/mentions.ts';
import { parentOfReply } from '../../statuses/originals.ts';
import { contentOf, isSensitive, languageOf, type WrittenStatus } from '../../statuses/written-status.ts';
import { type ArchivedPost, readArchivedPost } from './archived-post.ts';
import type { ArchivedActivity } from './post-index.ts';
import type { UnpackedArchive } from './unpacked-archive.ts';

export interface PostsContext extends OperationContext<AccountCaller> {
  readonly services: NetworkServices;
  readonly importId: Id;
  readonly archive: UnpackedArchive;
  /** The folder of the archive among the incoming files. */
  readonly folder: string;
  /** Whose archive it is: the account itself, or one of its aliases. */
  readonly author: KnownAccount;
}

/** Throws temporary Failures: the post is tried again. */
export async function takePost(context: PostsContext, { activity }: ArchivedActivity): Promise<RowResult> {
  if (activity === undefined) return 'unreadable';
  const { services, author } = context;
  const post = readArchivedPost(activity, author, services.now());
  if (typeof post === 'string') return post;
  const { note } = post;
  const present = ownStatusOf(context, note.uri);
  // As it was said when it was stored: a slice may run again.
  if (present !== undefined) return present.attachments.length < note.attachments.length ? 'withoutMedia' : 'done';
  try {
    return await store(context, post);
  } catch (error) {
    if (isRefusal(error)) return 'refused';
    throw error;
  }
}

/** The own status that a post of the archive is here already. */
function ownStatusOf({ services, caller }: PostsContext, uri: string): Status | undefined {
  const { snapshots, addresses } = services;
  const statusId = importedStatusId(snapshots, caller.accountId, uri) ?? addresses.statusOf(uri)?.id;
  const found = statusId === undefined ? undefined : findStatusRecord(snapshots, statusId);
  return found?.accountId === caller.accountId ? found : undefined;
}

async function store(context: PostsContext, post: ArchivedPost): Promise<RowResult> {
  const { services, caller } = context;
  const { note, publishedAt, visibility } = post;
  const { accountId } = caller;
  const login = findLogin(services.snapshots, accountId);
  if (login === undefined) throw new Failure('forbidden');
  const written = writtenOf(post);
  const { link: _card, ...content } = contentOf(services, written, mentionsIn(context, written));
  const parent = note.inReplyTo === undefined ? undefined : parentOf(context, note.inReplyTo);
  const media = await mediaOf(context, post);
  const isEmpty = written.text === '' && media.found.length === 0 && note.poll === undefined;
  if (isEmpty) return media.isWhole ? 'unreadable' : 'withoutMedia';
  const message = withoutUndefined({
    ...content,
    ...pollOf(note.poll, publishedAt, services.now()),
    mentions: withRanks(services, accountId, content.mentions),
    uri: note.uri,
    publishedAt,
    editedAt: note.editedAt,
    visibility,
    sensitive: isSensitive(written, note.sensitive),
    language: languageOf(note.language),
    inReplyToId: parent?.id,
    inReplyToAccountId: parent?.accountId,
    threadId: parent && threadOf(parent),
    answersUnknown: note.inReplyTo !== undefined && parent === undefined ? true : undefined,
    localOnly: post.isLocalOnly || parent?.localOnly === true ? true : undefined,
    quoteApproval: quoteApprovalOf(quotePolicyOf(login), visibility),
    replyApproval: replyApprovalOf(replyPolicyOf(login), visibility),
    media: media.found,
  });
  await services.client.call(Account.importPost.to(accountId, message), flowOf(caller));
  return media.isWhole ? 'done' : 'withoutMedia';
}

/** A name without a host is of the server where it was written: here somebody else may have it. */
function mentionsIn({ services, caller, author }: PostsContext, { tokens }: WrittenStatus) {
  const isOfHere = author.id === caller.accountId;
  const handles = handlesOf(tokens).filter((handle) => isOfHere || handle.includes('@'));
  return knownMentions(services, handles);
}

/** Longer than posts of this server may be: nothing of it is cut off. */
function writtenOf({ note }: ArchivedPost): WrittenStatus {
  const paragraphs = [note.title, note.occasion, toSourceText(note.content), note.title && (note.url ?? note.uri)];
  const body = cleanText(paragraphs.filter((part) => part !== undefined && part !== '').join('\n\n'));
  const warning = cleanText(note.spoilerText);
  const hasWarning = warning !== '';
  const [text, spoilerText] = body === '' && note.attachments.length === 0 ? [warning, ''] : [body, warning];
  const poll = note.poll && { ...note.poll.poll, expiresInSeconds: 0 };
  return { text, spoilerText, hasWarning, poll, attachments: [], tokens: extractTokens(text) };
}

/** It has ended: nobody can vote here in what others were asked elsewhere. */
function pollOf(given: RemotePoll | undefined, publishedAt: number, now: number) {
  if (given === undefined) return {};
  const { expiresAt = publishedAt, ...poll } = given.poll;
  const endedAt = Math.min(Math.max(expiresAt, publishedAt), now);
  return {
    poll: { ...poll, expiresInSeconds: Math.floor((endedAt - publishedAt) / 1_000) },
    tally: given.tally,
  };
}

/** Undefined for what is not known here, or may not be answered by the author. */
function parentOf(context: PostsContext, address: string): Status | undefined {
  const { services, caller } = context;
  const known = knownAtAddress(services, address);
  const ofOthers = known !== undefined && 'statusId' in known ? known.statusId : undefined;
  const statusId = ownStatusOf(context, address)?.id ?? ofOthers;
  if (statusId === undefined) return undefined;
  try {
    return parentOfReply(services, statusId, caller.accountId).status;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

type Medium = Pick<Attachment, 'description' | 'focusX' | 'focusY'> & NonNullable<DecodedMedia['decoded']>;

/** `isWhole`: all of its files were taken over. */
async function mediaOf(
  { services, archive, folder, importId }: PostsContext,
  { note, fileOf }: ArchivedPost,
): Promise<{ readonly found: Medium[]; readonly isWhole: boolean }> {
  const found: Medium[] = [];
  for (const { url, description, focus } of note.attachments.slice(0, attachmentLimits.perStatusMax)) {
    const name = fileOf(url);
    if (name === undefined || (await archive.mediaBytes(name)) === undefined) continue;
    const { decoded } = await decodeUpload(services, importId, { file: `${folder}/${name}` });
    if (decoded !== undefined)
      found.push(withoutUndefined({ ...decoded, description, focusX: focus?.x, focusY: focus?.y }));
  }
  return { found, isWhole: found.length === note.attachments.length };
}
