/**
 * The life of a local account, also by links of mails: a confirmed address, a new password. Message numbers 1 to 3, 5 to 9,
 * 362 to 379, 590, and from 630.
 */
import { z } from 'zod';
import { call, cast, Done, Nothing } from '../../../runtime/contract.ts';
import { audited } from '../../audit.records.ts';
import { Registration } from '../../directory/directory.messages.ts';
import { identifier } from '../account.records.ts';
import { ChangeLogin, ChangeProfile, CreateAccount } from '../profile/profile.messages.ts';
import { KeyPair } from '../profile/profile.records.ts';

export const localMessages = {
  /** `emailName`: the directory actor of the address, which gives the reply. */
  create: call(1, CreateAccount.extend({ emailName: z.string().optional() }), z.object({ accountId: identifier })),
  changeProfile: call(2, ChangeProfile, Done),
  changeLogin: call(3, ChangeLogin, Done),
  /** Sends a link with which a new password may be set. Does nothing for an account that may not sign in. */
  requestPasswordReset: call(362, z.object({}), Done),
  /** By such a link: it holds once. Throws forbidden for one that does not hold any more. */
  resetPassword: call(363, z.object({ requestId: identifier, passwordHash: z.string() }), Done),
  /** Sends the link again that confirms the address. Throws forbidden where none waits for a confirmation. */
  requestConfirmation: call(364, z.object({}), Done),
  /** Sends a link to an address that is to replace the present one; until it is confirmed nothing changes. */
  changeEmail: call(365, z.object({ email: z.string(), ...audited }), Done),
  /**
   * By such a link. The reply says whether another account owns the address. Throws forbidden for a link that does not hold
   * any more. `staffIds`: who is notified of a sign-up that this completes.
   */
  confirmEmail: call(366, z.object({ requestId: identifier, staffIds: z.array(identifier).optional() }), Registration),
  /** Sent by the directory: the address is the account's. */
  emailClaimed: call(367, z.object({ email: z.string(), staffIds: z.array(identifier).optional() }), Registration),
  /** Replaces the key pair, where there is one, and it is from before `since`. */
  rotateKeys: call(
    630,
    z.object({ pair: KeyPair, since: z.number().optional(), ...audited }),
    z.object({ isNew: z.boolean() }),
  ),
  forgetFormerKey: cast(631, z.object({})),
  /** The answer of the effect: it follows whoever has invited it, or cannot. */
  creatorFollowed: cast(590, Nothing),
};
