/**
 * Shapes that several features of an account share. Records are stored as arrays in the order of their keys: append
 * only (runtime/codec.ts).
 */
import { z } from 'zod';

export const identifier = z.bigint();

export const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;

export const Visibility = z.enum(visibilities);
export type Visibility = z.infer<typeof Visibility>;

export const CustomEmoji = z.object({ shortcode: z.string(), url: z.string(), staticUrl: z.string() });
export type CustomEmoji = z.infer<typeof CustomEmoji>;

/** `following`, and `unsupported_policy` for anything not understood, come from other servers only. */
export const approvers = ['public', 'followers', 'following', 'unsupported_policy'] as const;
export const Approver = z.enum(approvers);
export type Approver = z.infer<typeof Approver>;

/**
 * Whose requests are granted at once, and whose after the owner was asked (interaction policies of GoToSocial): to
 * quote a status, or to feature an account. The owner always may and is listed in neither.
 */
export const Approval = z.object({
  automatic: z.array(Approver),
  manual: z.array(Approver),
  /** For replies: its server is asked with the reply itself (before version 0.20 of GoToSocial). */
  byCreate: z.boolean().optional(),
});
export type Approval = z.infer<typeof Approval>;
