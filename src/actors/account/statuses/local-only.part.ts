/** Whether a status stays on this server: nothing of it is told to any other. */
import { z } from 'zod';
import { statusPart } from '../../status-part.ts';

/** Absent for a status that other servers may have. It never changes. */
const fields = { localOnly: z.boolean().optional() };

export const localOnlyPart = statusPart({
  stored: fields,
  written: fields,
  edit: {},
  received: {},
  version: {},
  facts: ({ localOnly }) => ({ localOnly }),
});
