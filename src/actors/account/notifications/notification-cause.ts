/** What a notification is about, as messages carry it. */
import type { Id } from '../../../runtime/ids.ts';
import type { SenderTraits } from '../../policy/notification-policy.ts';
import type { NotificationType, Severance, Warning } from './notifications.records.ts';

export interface NotificationCause {
  type: NotificationType;
  fromId: Id;
  statusId?: Id | undefined;
  /** Thread of the status, unless the status began it. */
  threadId?: Id | undefined;
  /** Parent of the status; policies look at it for mentions. */
  inReplyToId?: Id | undefined;
  /** Whether the status is direct. */
  isPrivate?: boolean;
  /** Whether it continues a conversation: a private one does unless it is limited. */
  isConversation?: boolean;
  /** For a mention: everybody whom the status mentions, and whom it replies to. Absent for the recipient alone. */
  namedIds?: readonly Id[] | undefined;
  /** For severed relationships. */
  severance?: Severance | undefined;
  /** Absent for an ordinary sender. */
  sender?: SenderTraits | undefined;
  collectionId?: Id | undefined;
  reportId?: Id | undefined;
  warning?: Warning | undefined;
}
