/** Bookmarks, which are private to their account. Message numbers 90 and 91. */
import { z } from 'zod';
import { call, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';

export const bookmarkMessages = {
  /** The caller has checked that the account may see the status. */
  bookmark: call(90, z.object({ statusId: identifier }), Done),
  unbookmark: call(91, z.object({ statusId: identifier }), Done),
};
