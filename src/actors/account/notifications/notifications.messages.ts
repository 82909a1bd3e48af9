/** Notifications. Message numbers 33, 36, 60 to 69, 530. */
import { z } from 'zod';
import { call, cast, Done, Nothing, Slice } from '../../../runtime/contract.ts';
import { Group } from '../../policy/notification-groups.ts';
import { SenderTraits } from '../../policy/notification-policy.ts';
import { identifier } from '../account.records.ts';
import { NotificationType } from './notifications.records.ts';

export const notificationMessages = {
  /** Runs on a follower with `notify`: the followed account has published. */
  followedPublished: cast(
    33,
    z.object({
      by: identifier,
      statusId: identifier,
      language: z.string().optional(),
      threadId: identifier.optional(),
      mentionedIds: z.array(identifier).optional(),
    }),
  ),
  /** Runs on the author of a new status: notifies followers whose follow has `notify`, in slices. */
  notifyFollowersOfPost: cast(
    36,
    z.object({ statusId: identifier, language: z.string().optional(), afterFollowerId: identifier.optional() }),
  ),
  dismissNotification: call(60, z.object({ notificationId: identifier }), Done),
  /** `untilId`: for continuing; notifications below this id are removed. */
  clearNotifications: call(61, z.object({ untilId: identifier.optional(), ...Slice.shape }), Done),
  /** Removes all notifications of a group, a slice per turn; `afterId`: for continuing. */
  dismissGroup: call(63, z.object({ group: Group, afterId: identifier.optional() }), Done),
  notify: cast(
    62,
    z.object({
      type: NotificationType,
      fromId: identifier,
      statusId: identifier.optional(),
      threadId: identifier.optional(),
      collectionId: identifier.optional(),
      reportId: identifier.optional(),
      sender: SenderTraits.optional(),
    }),
  ),
  /** The timer: tells by mail which notifications there are, of those who seem to be away. */
  notificationMailsDue: cast(530, Nothing),
};
