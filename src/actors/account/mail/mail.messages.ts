/** What accounts are told by mail. Message numbers 360 to 379. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Registration } from '../../directory/directory.messages.ts';
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
  /** Sends the link again that confirms the address. Throws forbidden where none waits for a confirmation. */
  requestConfirmation: call(364, z.object({}), Done),
  /** Sends a link to an address that is to replace the present one; until it is confirmed nothing changes. */
  changeEmail: call(365, z.object({ email: z.string() }), Done),
  /**
   * By such a link. The reply says whether another account owns the address. Throws forbidden for a link that does not hold
   * any more. `staffIds`: who is notified of a sign-up that this completes.
   */
  confirmEmail: call(366, z.object({ requestId: identifier, staffIds: z.array(identifier).optional() }), Registration),
  /** Sent by the directory: the address is the account's. */
  emailClaimed: call(367, z.object({ email: z.string(), staffIds: z.array(identifier).optional() }), Registration),
};
