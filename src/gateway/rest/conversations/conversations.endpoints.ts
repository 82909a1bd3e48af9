/** The endpoints of conversations (behaviour of the Mastodon API; the ids are those of threads). */
import { z } from 'zod';
import {
  readConversation,
  removeConversation,
  unreadConversation,
} from '../../../operations/conversations/change-conversation.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { ConversationEntity } from '../../entities/conversation.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, empty } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { id, pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerOwnPage } from '../own-page.ts';
import { jsonBytes } from '../status-answers.ts';

export const getConversations = endpoint({
  method: 'GET',
  path: '/api/v1/conversations',
  authentication: 'user',
  scopes: ['read:statuses'],
  parameters: z.object(pageParameters(20, 40)),
  summary: 'Lists the conversations of the user, latest status first.',
  answer: z.array(ConversationEntity),
  handler(context, given) {
    const { conversations, answers } = context.services;
    return answerOwnPage(context, given, {
      newest: (accountId) => conversations.newest(accountId),
      read: (accountId, bounds, newest) => conversations.page(accountId, bounds, newest),
      encode: (items) => answers.conversations(items),
    });
  },
});

export const postConversationRead = endpoint({
  method: 'POST',
  path: '/api/v1/conversations/:id/read',
  authentication: 'user',
  scopes: ['write:conversations'],
  parameters: z.object({ id }),
  summary: 'Marks a conversation as read.',
  answer: ConversationEntity,
  async handler(context, { id: threadId }) {
    await readConversation(context, { threadId });
    return conversationAnswer(context, threadId);
  },
});

export const postConversationUnread = endpoint({
  method: 'POST',
  path: '/api/v1/conversations/:id/unread',
  authentication: 'user',
  scopes: ['write:conversations'],
  parameters: z.object({ id }),
  summary: 'Marks a conversation as unread.',
  answer: ConversationEntity,
  async handler(context, { id: threadId }) {
    await unreadConversation(context, { threadId });
    return conversationAnswer(context, threadId);
  },
});

/** Throws Failure notFound. */
function conversationAnswer({ services, grant }: UserContext<GatewayServices>, threadId: Id): Answer {
  const shown = services.conversations.one(grant.accountId, threadId);
  if (shown === undefined) throw new Failure('notFound');
  return jsonBytes(Uint8Array.from(services.answers.conversation(shown)));
}

export const deleteConversation = endpoint({
  method: 'DELETE',
  path: '/api/v1/conversations/:id',
  authentication: 'user',
  scopes: ['write:conversations'],
  parameters: z.object({ id }),
  summary: 'Removes a conversation until it gets a new status; its statuses stay.',
  answer: EmptyEntity,
  async handler(context, { id: threadId }) {
    await removeConversation(context, { threadId });
    return empty();
  },
});

export const conversationEndpoints = [
  getConversations,
  postConversationRead,
  postConversationUnread,
  deleteConversation,
];
