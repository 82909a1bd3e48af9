/** Private notes on other accounts. Message number 124. */
import { z } from 'zod';
import { call, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';

export const noteMessages = {
  /** An empty comment removes the note. */
  setNote: call(124, z.object({ targetId: identifier, comment: z.string() }), Done),
};
