/** The instance actor's messages about statuses of other servers that nobody here uses. Message numbers 610 to 612. */
import { z } from 'zod';
import { call, cast } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { RetentionRun } from './retention.records.ts';

export const retentionMessages = {
  /** What the options say; 0 for no rule. */
  changeRetention: call(610, z.object({ days: z.number() }), z.undefined()),
  /** The timer between two runs. */
  retentionDue: cast(611, z.object({ retentionId: identifier })),
  /** The answer of the effect. `slot`: where to go on; absent where all were looked at. */
  retentionSwept: cast(
    612,
    RetentionRun.pick({ examined: true, forgotten: true }).extend({
      retentionId: identifier,
      slot: z.number().optional(),
    }),
  ),
};
