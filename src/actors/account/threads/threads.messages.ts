/**
 * Threads that an account has muted, replies whose parents become known later, and who may reply. Message numbers 93, 94, 572 to 574 and
 * 600.
 */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';
import { ReplyPolicy } from '../statuses/reply-policy.records.ts';

const Thread = z.object({ threadId: identifier });

export const threadMessages = {
  muteThread: call(93, Thread, Done),
  unmuteThread: call(94, Thread, Done),
  /** What a status of this remote account answers has become known. Nothing happens where that is known already. */
  attachReply: call(
    572,
    z.object({
      statusId: identifier,
      parentId: identifier,
      parentAuthorId: identifier,
      threadId: identifier,
      /** The proof that the author of the parent agrees, where it takes one. */
      replyAuthorization: z.string().optional(),
    }),
    Done,
  ),
  moveToThread: cast(573, z.object({ statusId: identifier, threadId: identifier })),
  /** The next slice of the replies to a status is told that it belongs to another thread. */
  moveReplies: cast(574, z.object({ statusId: identifier, threadId: identifier, after: identifier.optional() })),
  /** Runs on a local author: who may reply to the status from now on. */
  changeReplyPolicy: call(
    600,
    z.object({ statusId: identifier, policy: ReplyPolicy, destinations: z.array(Destination).optional() }),
    Done,
  ),
};
