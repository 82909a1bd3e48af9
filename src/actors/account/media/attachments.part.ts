/** The media attached to a status. */
import { z } from 'zod';
import { statusPart } from '../../status-part.ts';
import { Attachment } from './media.records.ts';

const fields = { attachments: z.array(Attachment) };

export const attachmentsPart = statusPart({
  stored: fields,
  written: fields,
  edit: fields,
  received: fields,
  version: fields,
  ofEdit: (_before, { attachments }) => ({ attachments }),
  versionOf: ({ attachments }) => ({ attachments }),
  content: ({ attachments }) => attachments,
  facts: ({ attachments }) => ({ hasMedia: attachments.length > 0 }),
});
