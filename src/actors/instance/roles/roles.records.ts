/** Roles that staff have added. */
import { z } from 'zod';

export const RoleContent = z.object({
  name: z.string(),
  /** `#` and six hexadecimal digits, or nothing. */
  color: z.string(),
  isHighlighted: z.boolean(),
  /** From 0, above ordinary users. */
  position: z.number(),
  /** Permissions by their numbers in the Mastodon API. */
  bits: z.number(),
  needsTwoFactor: z.boolean(),
});
export type RoleContent = z.infer<typeof RoleContent>;
