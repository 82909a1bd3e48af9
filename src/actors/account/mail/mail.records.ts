/** What accounts are told by mail, and the record of an account's mail. Times are milliseconds since 1970. */
import { z } from 'zod';

/** What a mail is about. Everything else that it says is read when it is sent. */
export const MailContent = z.discriminatedUnion('kind', [
  /** The password was changed. */
  z.object({ kind: z.literal('passwordChanged') }),
]);
export type MailContent = z.infer<typeof MailContent>;
export type MailKind = MailContent['kind'];

/** Where mail was refused for good. */
export const RefusedMail = z.object({
  email: z.string(),
  at: z.number(),
  /** What the mail server said last. */
  response: z.string(),
  /** Refusals of this address. */
  count: z.number(),
});

export const AccountMail = z.object({ refused: RefusedMail.optional() });
export type AccountMail = z.infer<typeof AccountMail>;
