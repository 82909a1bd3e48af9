/** Threads that an account has muted. Message numbers 93 and 94. */
import { z } from 'zod';
import { call, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';

const Thread = z.object({ threadId: identifier });

export const threadMessages = {
  muteThread: call(93, Thread, Done),
  unmuteThread: call(94, Thread, Done),
};
