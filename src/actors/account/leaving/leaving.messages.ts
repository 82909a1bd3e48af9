/** The end of a local account, as its owner decides it. Message numbers 550 to 552. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { UsedCode } from '../two-factor/two-factor.records.ts';

export const leavingMessages = {
  /**
   * The account is deleted after a delay, and is used by nobody until then; at once where there is none. Throws conflict
   * where that is decided already and for an account that staff have shut, and like `useTwoFactorCode`.
   */
  deleteSelf: call(
    550,
    z.object({ delayMilliseconds: z.number(), code: UsedCode.optional() }),
    z.object({ deletesAt: z.number() }),
  ),
  /** Nothing is deleted. Throws conflict where nothing was about to be. */
  keepSelf: call(551, z.object({}), Done),
  /** The delay is over. */
  selfDeletionDue: cast(552, z.object({ until: z.number() })),
};
