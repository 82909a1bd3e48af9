/** Records of media. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

export const Attachment = z.object({
  id: identifier,
  type: z.enum(['unknown', 'image', 'gifv', 'video', 'audio']),
  url: z.string(),
  previewUrl: z.string().optional(),
  remoteUrl: z.string().optional(),
  description: z.string().optional(),
  blurhash: z.string().optional(),
  mediaType: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  focusX: z.number().optional(),
  focusY: z.number().optional(),
});
export type Attachment = z.infer<typeof Attachment>;
