/** Posts that are deleted by rule. Message numbers 582 to 584. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { CleanupPolicy } from './cleanup.records.ts';

export const cleanupMessages = {
  /** Without a policy nothing is deleted any more. Throws notFound for an account that is not local. */
  changeCleanup: call(582, z.object({ policy: CleanupPolicy.optional() }), Done),
  /** `after`: the post behind which to go on. */
  cleanupDue: cast(583, z.object({ cleanupId: identifier, after: identifier.optional() })),
  /** The answer of the effect. */
  cleanupDone: cast(584, z.object({ cleanupId: identifier, after: identifier.optional(), deleted: z.number() })),
};
