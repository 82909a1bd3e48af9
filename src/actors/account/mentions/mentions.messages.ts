/** Statuses that mention an account, or that it was notified of. Message numbers 30, 34 and 194. */
import { z } from 'zod';
import { call, cast } from '../../../runtime/contract.ts';
import { SenderTraits } from '../../policy/notification-policy.ts';
import { identifier, Visibility } from '../account.records.ts';
import { StatusFacts } from '../statuses/statuses.events.ts';
import { StatusReference } from '../statuses/statuses.messages.ts';

export const mentionMessages = {
  /** The reply is the mentioning status. */
  mentioned: call(
    30,
    z.object({
      by: identifier,
      statusId: identifier,
      visibility: Visibility,
      /** Direct, and not part of a conversation. */
      isLimited: z.boolean().optional(),
      threadId: identifier.optional(),
      inReplyToId: identifier.optional(),
      sender: SenderTraits.optional(),
      /** Everybody whom the status mentions, and whom it replies to. Absent where that is the recipient alone. */
      namedIds: z.array(identifier).optional(),
    }),
    StatusReference,
  ),
  /** Runs on an account for which a status is gone that mentioned it. `threadId` is that of a direct one. */
  dismissStatus: cast(
    34,
    z.object({ statusId: identifier, threadId: identifier.optional(), facts: StatusFacts.optional() }),
  ),
  /** Runs on an account that may have been notified of a status, which was edited. */
  hearOfEdit: cast(194, z.object({ facts: StatusFacts })),
};
