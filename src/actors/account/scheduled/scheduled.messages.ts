/** Scheduled statuses, which are private to their account. Message numbers 115 to 119. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { ScheduledPost } from './scheduled.records.ts';

const Which = { scheduledId: identifier };

export const scheduledMessages = {
  schedulePost: call(115, z.object({ scheduledAt: z.number(), post: ScheduledPost }), z.object(Which)),
  reschedulePost: call(116, z.object({ ...Which, scheduledAt: z.number() }), Done),
  unschedulePost: call(117, z.object(Which), Done),
  /** The timer; ignored when the status now has another time. */
  scheduledPostDue: cast(118, z.object({ ...Which, scheduledAt: z.number() })),
  /** The publication succeeded, or was refused for good (`isOver`); otherwise it is tried again. */
  scheduledPostTried: cast(119, z.object({ ...Which, isOver: z.boolean() })),
};
