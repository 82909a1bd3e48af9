/** Who may reply to a status, as its author chooses. */
import { z } from 'zod';

/** `following`: accounts that the author follows. Those whom a status mentions always may. */
export const replyPolicies = ['public', 'followers', 'following', 'mentioned'] as const;
export const ReplyPolicy = z.enum(replyPolicies);
export type ReplyPolicy = z.infer<typeof ReplyPolicy>;
