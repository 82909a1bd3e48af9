/** Invites to this server. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../../account/account.records.ts';

export const InviteContent = z.object({
  /** Whoever knows it may use it. */
  code: z.string(),
  /** Absent for one of the server itself, which the operator has made. */
  creatorId: identifier.optional(),
  /** How many may use it; any number when absent. */
  usesMax: z.number().optional(),
  expiresAt: z.number().optional(),
  /** Whether whoever uses it follows its creator. */
  autofollow: z.boolean(),
  /** For whoever has made it, and for staff. */
  comment: z.string(),
});

export const Invite = InviteContent.extend({
  createdAt: z.number(),
  /** Accounts that were made with it. */
  uses: z.number(),
  /** Sign-ups that are on their way: each counts as a use until it has failed. */
  reserved: z.array(identifier),
  endedAt: z.number().optional(),
});
export type Invite = z.infer<typeof Invite>;

/** The use of an invite by a sign-up on its way. */
export const InviteUse = z.object({ inviteId: identifier, reservationId: identifier });
export type InviteUse = z.infer<typeof InviteUse>;
