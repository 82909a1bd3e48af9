/** Conversations: threads of direct statuses. Message numbers 95 to 97 and 190. */
import { z } from 'zod';
import { call, cast, Done, Slice } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';

const Conversation = z.object({ threadId: identifier });

export const conversationMessages = {
  readConversation: call(95, Conversation, Done),
  unreadConversation: call(190, Conversation, Done),
  removeConversation: call(96, Conversation, Done),
  /** Deletes the entries of statuses with smaller ids, in slices. */
  sweepConversation: cast(97, z.object({ threadId: identifier, beforeId: identifier, ...Slice.shape })),
};
