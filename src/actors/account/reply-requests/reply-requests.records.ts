/** Records of what an author has said, or has to say, about a reply to one of its statuses. */
import { z } from 'zod';
import { Destination } from '../../intents.ts';
import { identifier, Visibility } from '../account.records.ts';

/** How another server has asked, as answers repeat it. */
export const Question = z.object({
  destination: Destination.optional(),
  replyUri: z.string().optional(),
  /** It was asked with a ReplyRequest, which may have no id; a reply that just came was not. */
  isRequest: z.boolean().optional(),
  requestUri: z.string().optional(),
});
export type Question = z.infer<typeof Question>;

const decisionStates = ['pending', 'rejected', 'authorized'] as const;

/** A reply that was accepted by a local author has none: it is among the replies. */
export const ReplyDecision = z.object({
  accountId: identifier,
  state: z.enum(decisionStates),
  visibility: Visibility.optional(),
  question: Question.optional(),
  /** The address at which the server of a remote author says that it agrees. */
  authorizationUri: z.string().optional(),
});
export type ReplyDecision = z.infer<typeof ReplyDecision>;

export const ReplyRequest = z.object({ statusId: identifier, accountId: identifier, createdAt: z.number() });
export type ReplyRequest = z.infer<typeof ReplyRequest>;
