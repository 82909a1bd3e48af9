/** Suggestions of accounts to follow (specification 4.7). Message number 136. */
import { z } from 'zod';
import { call, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';

export const suggestionMessages = {
  /** Hides the account until there is another interaction with it. */
  dismissSuggestion: call(136, z.object({ accountId: identifier }), Done),
};
