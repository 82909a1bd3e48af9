/** What accounts are told by mail. Message numbers 360 and 361. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { MailContent } from './mail.records.ts';

export const mailMessages = {
  /** Sends the account a mail, if its address counts. */
  mail: cast(360, z.object({ content: MailContent })),
  /** A mail server refuses mail for the address for good. Does nothing where the account has another address by now. */
  mailRefused: call(361, z.object({ email: z.string(), response: z.string() }), Done),
};
