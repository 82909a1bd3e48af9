/**
 * Replaces the text of a status, its content warning and its language; visibility and parent stay. An undefined
 * language stays unchanged; an undefined content warning is removed.
 */

import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import type { Attachment } from '../../actors/account/media/media.records.ts';
import { QuotePolicy } from '../../actors/account/quotes/quotes.records.ts';
import { findStatus } from '../../actors/account/status-views.queries.ts';
import { ReplyPolicy } from '../../actors/account/statuses/reply-policy.records.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { editedMedia } from '../media/attached-media.ts';
import { describedInput, describedMedia } from '../media/described-media.ts';
import { assertTakesThumbnail, replaceThumbnails } from '../media/replace-thumbnail.ts';
import { operation } from '../operation.ts';
import { pageOf, pollWithQuote } from '../quotes/quoted-status.ts';
import { withRanks } from './mention-ranks.ts';
import { findMentions, handlesOf, knownMentions } from './mentions.ts';
import { destinationsOfStatus, onOwnStatus } from './own-status.ts';
import { contentOf, isSensitive, languageOf, writtenInput, writtenStatus } from './written-status.ts';

const input = z.object({
  statusId: identifier,
  ...writtenInput,
  /** The poll stays unchanged; otherwise it is replaced by the given one, or removed. */
  keepsPoll: z.boolean().optional(),
  quotePolicy: QuotePolicy.optional(),
  replyPolicy: ReplyPolicy.optional(),
  /** The media stay as they are; otherwise they are those of `mediaIds`. */
  keepsMedia: z.boolean().optional(),
  /** What the author says of media, whichever of them are attached; a thumbnail is the path of a temporary file. */
  mediaAttributes: z
    .array(z.object({ mediaId: identifier, ...describedInput, thumbnail: z.string().optional() }))
    .optional(),
});
type Input = z.output<typeof input>;

export const editStatus = operation({
  input,
  permission: 'post',
  on: onOwnStatus,
  async run({ caller, services }, given, { status }): Promise<{ statusId: Id }> {
    if (status.heldReply !== undefined)
      throw validationFailure('This reply waits until the author of the post agrees', { reason: 'replyIsHeld' });
    const quoted = status.quote && findStatus(services.snapshots, status.quote.statusId);
    if (status.quote !== undefined && given.poll !== undefined)
      throw validationFailure(pollWithQuote, { reason: 'pollWithQuote' });
    const attachments = editedAttachments(services, status, given);
    const written = writtenStatus(given, status.quote !== undefined, attachments);
    const handles = handlesOf(written.tokens);
    const found =
      status.localOnly === true
        ? knownMentions(services, handles)
        : await findMentions(services, handles, caller.cause);
    const keptOptions = given.keepsPoll === true ? status.poll?.options : undefined;
    const content = contentOf(services, { ...written, keptOptions }, found, quoted && pageOf(services, quoted));
    const edit = {
      ...content,
      mentions: withRanks(services, caller.accountId, content.mentions),
      statusId: status.id,
      keepsPoll: given.keepsPoll,
      quotePolicy: given.quotePolicy,
      replyPolicy: given.replyPolicy,
      sensitive: isSensitive(written, given.sensitive ?? false),
      language: languageOf(given.language) ?? status.language,
      formerDestinations: await services.slices.run(destinationsOfStatus(services, status)),
    };
    const thumbnails = newThumbnails(given, attachments);
    await replaceThumbnails({ caller, services }, status.id, thumbnails);
    const shown = thumbnails.length === 0 ? {} : { attachments: editedAttachments(services, status, given) };
    await services.client.call(Account.edit.to(caller.accountId, { ...edit, ...shown }), flowOf(caller));
    return { statusId: status.id };
  },
});

/** Throws Failure mediaRefused for pictures. Those of media that are not attached are left out. */
function newThumbnails({ mediaAttributes = [] }: Input, attachments: readonly Attachment[]) {
  return mediaAttributes.flatMap(({ mediaId, thumbnail }) => {
    const attachment = attachments.find(({ id }) => id === mediaId);
    if (thumbnail === undefined || attachment === undefined) return [];
    assertTakesThumbnail(attachment);
    return [{ mediaId, thumbnail }];
  });
}

function editedAttachments(services: Services, status: Status, given: Input): Attachment[] {
  const described = new Map(given.mediaAttributes?.map((one) => [one.mediaId, describedMedia(one)]));
  const kept = status.attachments.map(({ id }) => id);
  const mediaIds = given.keepsMedia === true ? kept : (given.mediaIds ?? []);
  return editedMedia(services, status, mediaIds, given.poll !== undefined, described);
}
