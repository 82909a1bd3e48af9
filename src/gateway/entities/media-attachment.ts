/** The MediaAttachment entity. */
import { z } from 'zod';
import type { Attachment } from '../../actors/account/media/media.records.ts';
import { id, text, url } from './values.ts';

export const MediaAttachmentEntity = z.strictObject({
  id,
  type: z.enum(['unknown', 'image', 'gifv', 'video', 'audio']),
  url: url.nullable(),
  preview_url: url.nullable(),
  remote_url: url.nullable(),
  meta: z.looseObject({}),
  description: text.nullable(),
  blurhash: text.nullable(),
});

export function attachmentEntity(attachment: Attachment): Record<string, unknown> {
  const { width, height } = attachment;
  const size =
    width === undefined || height === undefined
      ? {}
      : { original: { width, height, size: `${width}x${height}`, aspect: width / height } };
  return {
    id: attachment.id.toString(),
    type: attachment.type,
    url: attachment.url,
    preview_url: attachment.previewUrl ?? attachment.url,
    remote_url: attachment.remoteUrl ?? null,
    meta: { ...size, focus: { x: attachment.focusX ?? 0, y: attachment.focusY ?? 0 } },
    description: attachment.description ?? null,
    blurhash: attachment.blurhash ?? null,
  };
}
