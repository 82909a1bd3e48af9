/** The attachments of a Note. */
import type { Attachment } from '../../../actors/account/media/media.records.ts';
import type { JsonObject } from '../../../outbound/fetcher/json.ts';
import type { Addresses } from '../../../services/addresses.ts';
import type { NotePart } from '../note-part.ts';
import { type RemoteAttachment, readAttachments, readFilm } from '../read-attachments.ts';

interface AttachmentsOfNote {
  readonly attachments: readonly RemoteAttachment[];
}

export const attachmentsOfNote: NotePart<AttachmentsOfNote> = {
  read(object, { isConverted }) {
    const attachments = readAttachments(object.attachment);
    return { attachments: attachments.length > 0 || !isConverted ? attachments : readFilm(object) };
  },
  write: ({ attachments }, { addresses }) => ({
    properties: { attachment: attachments.map((attachment) => attachmentDocument(attachment, addresses)) },
  }),
};

function attachmentDocument(attachment: Attachment, addresses: Addresses): JsonObject {
  const { mediaType, url, previewUrl, type, description, blurhash, width, height, duration, focusX, focusY } =
    attachment;
  const hasFocus = focusX !== undefined && focusY !== undefined;
  return {
    type: 'Document',
    mediaType: mediaType ?? 'application/octet-stream',
    url: addresses.media(url),
    name: description ?? null,
    // Current Mastodon reads this property first.
    ...(description === undefined ? {} : { summary: description }),
    ...(blurhash === undefined ? {} : { blurhash }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    // ISO 8601, as Mastodon 4.6 writes it.
    ...(duration === undefined ? {} : { duration: `PT${Number(duration.toFixed(3))}S` }),
    ...(type === 'image' || previewUrl === undefined
      ? {}
      : { icon: { type: 'Image', url: addresses.media(previewUrl) } }),
    ...(hasFocus ? { focalPoint: [focusX, focusY] } : {}),
  };
}
