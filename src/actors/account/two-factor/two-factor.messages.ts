/** Two-factor authentication of a local account. Message numbers 540 to 549. */
import { z } from 'zod';
import { call, Done } from '../../../runtime/contract.ts';
import { audited } from '../../audit.records.ts';
import { identifier } from '../account.records.ts';
import { NewPasskey, UsedCode } from './two-factor.records.ts';

const recoveryCodes = z.array(z.string());

export const twoFactorMessages = {
  /**
   * `step`: of the code that confirmed it; `code`: of what the account has already. Throws conflict where an app gives codes
   * already, and like `useTwoFactorCode`.
   */
  enableTotp: call(
    540,
    z.object({ sealed: z.string(), step: z.number(), recoveryCodes, code: UsedCode.optional() }),
    Done,
  ),
  /** Throws forbidden for a code that was used before. */
  useTwoFactorCode: call(541, z.object({ code: UsedCode }), Done),
  /** The present ones hold no more. Throws like `useTwoFactorCode`. */
  renewRecoveryCodes: call(542, z.object({ code: UsedCode, recoveryCodes }), Done),
  /** By its owner with a code, which throws like `useTwoFactorCode`; or by staff. */
  disableTwoFactor: call(543, z.object({ code: UsedCode.optional(), ...audited }), Done),
  /** Somebody knew the password, and gave a wrong code. */
  twoFactorFailed: call(544, z.object({}), Done),
  /**
   * The reply says whether it is what first makes a second step: the recovery codes count then. Throws validation above the
   * bound, conflict for one that is there already, and like `useTwoFactorCode`.
   */
  addPasskey: call(
    545,
    z.object({ passkey: NewPasskey, recoveryCodes, code: UsedCode.optional() }),
    z.object({ isFirst: z.boolean() }),
  ),
  /** Throws notFound. */
  renamePasskey: call(546, z.object({ passkeyId: identifier, name: z.string() }), Done),
  /** With the last one goes the second step, unless there is an app. Throws notFound, and like `useTwoFactorCode`. */
  removePasskey: call(547, z.object({ passkeyId: identifier, code: UsedCode.optional() }), Done),
};
