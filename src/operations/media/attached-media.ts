/** The media that an author attaches to a status: looked up and checked before the account's turn checks them again. */
import { mediaLimits } from '../../actors/account/media/limits.ts';
import { findMedia, stateOfMedia } from '../../actors/account/media/media.queries.ts';
import { type Attachment, mediaNotFound, mediaNotReady } from '../../actors/account/media/media.records.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

/** Where they may be attached already. */
export interface AttachedTo {
  readonly statusId?: Id;
  readonly scheduledId?: Id;
}

/**
 * In the order given, each once. Throws Failure mediaRefused, with the sentences of the Mastodon API, for too many, for a poll
 * beside them, for media of others or of other statuses, for those that are not ready, and for a film or a sound that
 * is not alone.
 */
export function attachedMedia(
  { snapshots }: Pick<Services, 'snapshots'>,
  accountId: Id,
  mediaIds: readonly Id[],
  { hasPoll, to = {} }: { readonly hasPoll: boolean; readonly to?: AttachedTo },
): Attachment[] {
  const ids = [...new Set(mediaIds)];
  const { perStatusMax: limit } = mediaLimits;
  if (ids.length > limit || (ids.length > 0 && hasPoll))
    throw new Failure('mediaRefused', {
      ...{ text: `Cannot attach more than ${limit} files`, limit },
      reason: ids.length > limit ? 'tooManyMedia' : 'pollWithMedia',
    });
  const found = ids.map((mediaId) => ({ mediaId, media: findMedia(snapshots, accountId, mediaId) }));
  const refused = found.filter(({ media }) => {
    if (media === undefined) return true;
    const use = media.statusId ?? media.scheduledId;
    return use !== undefined && use !== to.statusId && use !== to.scheduledId;
  });
  if (refused.length > 0) throw mediaNotFound(refused.map(({ mediaId }) => mediaId));
  if (found.some(({ media }) => stateOfMedia(media!) !== 'ready')) throw mediaNotReady();
  const attachments = found.map(({ media }) => media!.attachment);
  if (attachments.length > 1 && attachments.some(({ type }) => type === 'video' || type === 'audio'))
    throw new Failure('mediaRefused', {
      text: 'Cannot attach a video to a post that already contains images',
      reason: 'filmNotAlone',
    });
  return attachments;
}

/** The attachments of an edited status: those given, with what the author says of them now. */
export function editedMedia(
  services: Pick<Services, 'snapshots'>,
  { accountId, id: statusId }: Status,
  mediaIds: readonly Id[],
  hasPoll: boolean,
  described: ReadonlyMap<Id, Pick<Attachment, 'description' | 'focusX' | 'focusY'>>,
): Attachment[] {
  const attachments = attachedMedia(services, accountId, mediaIds, { hasPoll, to: { statusId } });
  return attachments.map((attachment) => ({ ...attachment, ...described.get(attachment.id) }));
}
