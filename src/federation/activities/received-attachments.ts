/** The attachments of a remote status: the files stay on their server. */
import { createHash } from 'node:crypto';
import type { Attachment } from '../../actors/account/media/media.records.ts';
import type { Id } from '../../runtime/ids.ts';
import type { RemoteAttachment } from '../documents/read-attachments.ts';

export function attachmentsIn(attachments: readonly RemoteAttachment[]): { attachments: Attachment[] } {
  return { attachments: attachments.map(attachmentOf) };
}

function attachmentOf(attachment: RemoteAttachment): Attachment {
  const { type, url, description, blurhash, mediaType, width, height, previewUrl, duration, focus } = attachment;
  return {
    id: attachmentId(url),
    type,
    url,
    remoteUrl: url,
    description,
    blurhash,
    mediaType,
    width,
    height,
    previewUrl,
    duration,
    focusX: focus?.x,
    focusY: focus?.y,
  };
}

/** The same id for the same file, so that an edit does not change it. Nothing is looked up by it. */
function attachmentId(url: string): Id {
  return createHash('sha256').update(url, 'utf8').digest().readBigUInt64BE(0) >> 1n;
}
