/** What accounts are told by mail. Message numbers 360, 361 and 531. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { MailContent, MailTopic } from './mail.records.ts';

export const mailMessages = {
  /** Sends the account a mail, if its address counts. */
  mail: cast(360, z.object({ content: MailContent })),
  /** A mail server refuses mail for the address for good. Does nothing where the account has another address by now. */
  mailRefused: call(361, z.object({ email: z.string(), response: z.string() }), Done),
  /** Topics in neither list stay as they are. Throws notFound where the account has no login. */
  changeMailSettings: call(
    531,
    z.object({ on: z.array(MailTopic), off: z.array(MailTopic), always: z.boolean().optional() }),
    Done,
  ),
};
