/** Who may reply to a status, as its author chooses. */
import { z } from 'zod';

/**
 * `following`: accounts that the author follows. Those whom a status mentions always may. `approved`: all others after the
 * author has agreed to their reply.
 */
export const replyPolicies = [
  ...(['public', 'followers', 'following', 'mentioned'] as const),
  ...(['followers_or_approved', 'following_or_approved', 'approved'] as const),
] as const;
export const ReplyPolicy = z.enum(replyPolicies);
export type ReplyPolicy = z.infer<typeof ReplyPolicy>;
