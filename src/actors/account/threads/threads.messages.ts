/**
 * Threads that an account has muted, and replies whose parents become known later. Message numbers 93, 94 and 572 to 574.
 */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';

const Thread = z.object({ threadId: identifier });

export const threadMessages = {
  muteThread: call(93, Thread, Done),
  unmuteThread: call(94, Thread, Done),
  /** What a status of this remote account answers has become known. Nothing happens where that is known already. */
  attachReply: call(
    572,
    z.object({ statusId: identifier, parentId: identifier, parentAuthorId: identifier, threadId: identifier }),
    Done,
  ),
  moveToThread: cast(573, z.object({ statusId: identifier, threadId: identifier })),
  /** The next slice of the replies to a status is told that it belongs to another thread. */
  moveReplies: cast(574, z.object({ statusId: identifier, threadId: identifier, after: identifier.optional() })),
};
