/** What accounts are told by mail. Message numbers 360 to 379. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { MailContent } from './mail.records.ts';

export const mailMessages = {
  /** Sends the account a mail, if its address counts. */
  mail: cast(360, z.object({ content: MailContent })),
  /** A mail server refuses mail for the address for good. Does nothing where the account has another address by now. */
  mailRefused: call(361, z.object({ email: z.string(), response: z.string() }), Done),
  /** Sends a link with which a new password may be set. Does nothing for an account that may not sign in. */
  requestPasswordReset: call(362, z.object({}), Done),
  /** By such a link: it holds once. Throws forbidden for one that does not hold any more. */
  resetPassword: call(363, z.object({ requestId: identifier, passwordHash: z.string() }), Done),
};
