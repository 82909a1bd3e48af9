/** What a notification is about, as messages carry it. */
import type { Id } from '../../../runtime/ids.ts';
import type { SenderTraits } from '../../policy/notification-policy.ts';
import type { NotificationType, Severance } from './notifications.records.ts';

export interface NotificationCause {
  type: NotificationType;
  fromId: Id;
  statusId?: Id | undefined;
  /** Of the status, where it did not begin it. */
  threadId?: Id | undefined;
  /** Of the status; what a policy asks of mentions. */
  inReplyToId?: Id | undefined;
  /** Whether the status is direct. */
  isPrivate?: boolean;
  /** Of severed relationships. */
  severance?: Severance | undefined;
  /** Absent for an ordinary sender. */
  sender?: SenderTraits | undefined;
  collectionId?: Id | undefined;
}
