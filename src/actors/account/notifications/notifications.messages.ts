/** Notifications. Message numbers 33, 36, 60 to 69. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { Group } from '../../policy/notification-groups.ts';
import { identifier } from '../account.records.ts';
import { NotificationType } from './notifications.records.ts';

export const notificationMessages = {
  /** On a follower with `notify`: the followed account has published. */
  followedPublished: cast(33, z.object({ by: identifier, statusId: identifier, language: z.string().optional() })),
  /** On the author of a new status: notifies the followers who asked for it, a slice at a time. */
  notifyFollowersOfPost: cast(
    36,
    z.object({ statusId: identifier, language: z.string().optional(), afterFollowerId: identifier.optional() }),
  ),
  dismissNotification: call(60, z.object({ notificationId: identifier }), Done),
  /** `untilId`: of a clearing that goes on; it takes the notifications below this id. */
  clearNotifications: call(61, z.object({ untilId: identifier.optional() }), Done),
  /** All notifications of a group, a slice per turn; `afterId`: of a dismissal that goes on. */
  dismissGroup: call(63, z.object({ group: Group, afterId: identifier.optional() }), Done),
  notify: cast(
    62,
    z.object({
      type: NotificationType,
      fromId: identifier,
      statusId: identifier.optional(),
      threadId: identifier.optional(),
      collectionId: identifier.optional(),
    }),
  ),
};
