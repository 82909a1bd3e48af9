/** The end of a local account, as its owner decides it, and what it takes along. Message numbers 550 to 552, 554 to 557. */
import { z } from 'zod';
import { call, cast, Done, Nothing } from '../../../runtime/contract.ts';
import { HeldBlob } from '../../blob/blob.records.ts';
import { identifier } from '../account.records.ts';
import { UsedCode } from '../two-factor/two-factor.records.ts';
import { ArchiveProgress } from './leaving.records.ts';

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
  /** Throws conflict while one is built, or where there was one lately. */
  requestArchive: call(554, z.object({}), z.object({ archiveId: identifier })),
  /** The answer of the effect. */
  archiveBuilt: cast(
    555,
    z.object({
      archiveId: identifier,
      progress: ArchiveProgress.optional(),
      blob: HeldBlob.optional(),
      hasFailed: z.boolean().optional(),
    }),
  ),
  /** It was kept long enough. */
  archiveDue: cast(556, z.object({ archiveId: identifier })),
  /** The account is gone, and so is what it would have taken along. */
  forgetArchive: cast(557, Nothing),
};
