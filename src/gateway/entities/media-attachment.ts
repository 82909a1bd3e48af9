/** The MediaAttachment entity. */
import { z } from 'zod';
import { mediaLimits } from '../../actors/account/media/limits.ts';
import { stateOfMedia } from '../../actors/account/media/media.queries.ts';
import type { Attachment, Media } from '../../actors/account/media/media.records.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { MediaOwner } from '../../services/media/media-owner.ts';
import { shownAttachment } from '../shown-media.ts';
import { id, text, url } from './values.ts';

const types = z.enum(['unknown', 'image', 'gifv', 'video', 'audio']);

export const MediaAttachmentEntity = z
  .strictObject({
    id,
    type: types,
    url: url.nullable(),
    preview_url: url.nullable(),
    remote_url: url.nullable(),
    preview_remote_url: url.nullable(),
    text_url: z.null(),
    meta: z.looseObject({}),
    description: text.nullable(),
    blurhash: text.nullable(),
  })
  .meta({ id: 'MediaAttachment' });

function attachmentEntity(
  attachment: Attachment,
  addresses: Addresses,
  author: MediaOwner,
): z.output<typeof MediaAttachmentEntity> {
  const { description, blurhash, remoteUrl } = attachment;
  const { type, file, preview = null } = shownAttachment(attachment, addresses, author);
  return {
    id: attachment.id.toString(),
    type,
    url: file,
    preview_url: preview,
    remote_url: remoteUrl ?? null,
    preview_remote_url: (remoteUrl === undefined ? undefined : attachment.previewUrl) ?? null,
    text_url: null,
    meta: metaOf(attachment),
    description: description ?? null,
    blurhash: blurhash ?? null,
  };
}

/** What apps are shown of those of a status, which may have more where another server sends them. */
export function attachmentEntities(
  attachments: readonly Attachment[],
  addresses: Addresses,
  author: MediaOwner,
): z.output<typeof MediaAttachmentEntity>[] {
  const shown = attachments.slice(0, mediaLimits.perStatusMax);
  return shown.map((attachment) => attachmentEntity(attachment, addresses, author));
}

const ofThisServer: MediaOwner = {};

/** Of an upload: without addresses as long as it is being decoded. */
export function mediaEntity(media: Media, addresses: Addresses): z.output<typeof MediaAttachmentEntity> {
  if (stateOfMedia(media) === 'ready') return attachmentEntity(media.attachment, addresses, ofThisServer);
  const { id: mediaId, type, description } = media.attachment;
  const addressless = { url: null, preview_url: null, remote_url: null, preview_remote_url: null, text_url: null };
  const meta = metaOf(media.attachment);
  return { id: mediaId.toString(), type, ...addressless, meta, description: description ?? null, blurhash: null };
}

/** Sizes, and for films and sounds their length (behaviour of the Mastodon API). */
function metaOf(attachment: Attachment): Record<string, unknown> {
  const { width, height, previewWidth, previewHeight, duration, frameRate, bitrate, colours } = attachment;
  const played = { frame_rate: frameRate, duration, bitrate };
  const original = { ...sizeOf(width, height), ...(duration === undefined ? {} : played) };
  const small = sizeOf(previewWidth, previewHeight);
  return {
    ...(Object.keys(original).length === 0 ? {} : { original }),
    ...(small === undefined ? {} : { small }),
    focus: { x: attachment.focusX ?? 0, y: attachment.focusY ?? 0 },
    ...(colours === undefined ? {} : { colors: colours }),
  };
}

function sizeOf(width: number | undefined, height: number | undefined): Record<string, unknown> | undefined {
  if (width === undefined || height === undefined) return undefined;
  return { width, height, size: `${width}x${height}`, aspect: width / height };
}
