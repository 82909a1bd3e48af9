/** The attachments of a Note. */
import type { Attachment } from '../../../actors/account/media/media.records.ts';
import type { JsonObject } from '../../../outbound/fetcher/json.ts';
import type { NotePart } from '../note-part.ts';
import { type RemoteAttachment, readAttachments, readThumbnail } from '../read-attachments.ts';

interface AttachmentsOfNote {
  readonly attachments: readonly RemoteAttachment[];
}

export const attachmentsOfNote: NotePart<AttachmentsOfNote> = {
  read(object, { isConverted }) {
    const attachments = readAttachments(object.attachment);
    return { attachments: attachments.length > 0 || !isConverted ? attachments : readThumbnail(object) };
  },
  write: ({ attachments }) => ({ properties: { attachment: attachments.map(attachmentDocument) } }),
};

function attachmentDocument(attachment: Attachment): JsonObject {
  const { mediaType, url, description, blurhash, width, height, focusX, focusY } = attachment;
  const hasFocus = focusX !== undefined && focusY !== undefined;
  return {
    type: 'Document',
    mediaType: mediaType ?? 'application/octet-stream',
    url,
    name: description ?? null,
    // Current Mastodon reads this property first.
    ...(description === undefined ? {} : { summary: description }),
    ...(blurhash === undefined ? {} : { blurhash }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(hasFocus ? { focalPoint: [focusX, focusY] } : {}),
  };
}
