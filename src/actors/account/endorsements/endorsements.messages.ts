/** Accounts that an account features on its profile. Message numbers 125 and 126. */
import { z } from 'zod';
import { call, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';

export const endorsementMessages = {
  /** Only of accounts that are followed. */
  endorse: call(125, z.object({ targetId: identifier }), Done),
  unendorse: call(126, z.object({ targetId: identifier }), Done),
};
