/** Applies the notification policy of the recipient to the sender of a notification. */

import { slotOfId, timeOfId } from '../../../runtime/ids.ts';
import {
  defaultNotificationPolicy,
  isFilterable,
  newFollowerMilliseconds,
  outranks,
  type Treatment,
  treatmentBy,
} from '../../policy/notification-policy.ts';
import type { AccountTurn } from '../account.turn.ts';
import { statusesOfConversation } from '../conversations/conversations.state.ts';
import { logins } from '../profile/profile.state.ts';
import { followers, following } from '../relationships/relationships.state.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { notificationRequestLimits } from './limits.ts';
import type { NotificationCause } from './notification-cause.ts';
import { notificationPermissions, notificationPolicies } from './notification-requests.state.ts';

/** Reads the policy first, and the other facts only where a rule needs them. */
export function treatmentOf(turn: AccountTurn, cause: NotificationCause): Treatment {
  const { type, fromId, sender: traits } = cause;
  if (!isFilterable(type)) return 'accept';
  const self = turn.self.key;
  const treatment = treatmentBy(turn.get(notificationPolicies, [self]) ?? defaultNotificationPolicy, {
    traits,
    isFollowed: () => turn.get(following, [self, fromId])?.state === 'accepted',
    hasFollowedForLong: () => {
      const follower = turn.get(followers, [self, fromId]);
      return follower !== undefined && timeOfId(follower.id) <= turn.now - newFollowerMilliseconds;
    },
    isUnsolicited: () => cause.isPrivate === true && !answersOwnMessage(turn, cause),
  });
  return treatment === 'accept' || isExempt(turn, cause) ? 'accept' : treatment;
}

function isExempt(turn: AccountTurn, { type, fromId, sender }: NotificationCause): boolean {
  if (turn.get(notificationPermissions, [turn.self.key, fromId]) !== undefined) return true;
  const recipient = turn.get(logins, [turn.self.key])?.role ?? 'user';
  return type === 'mention' && outranks(sender, recipient);
}

/** Whether this account has written to the sender in private before, in the same thread. */
function answersOwnMessage(turn: AccountTurn, { fromId, threadId, inReplyToId }: NotificationCause): boolean {
  const isToSender = (statusId: bigint) => {
    const status = slotOfId(statusId) === slotOfId(turn.self.key) ? turn.get(statuses, [statusId]) : undefined;
    if (status?.accountId !== turn.self.key || status.visibility !== 'direct') return false;
    return status.mentions.some(({ id }) => id === fromId);
  };
  if (inReplyToId === undefined) return false;
  if (isToSender(inReplyToId)) return true;
  if (threadId === undefined) return false;
  const before = { reverse: true, limit: notificationRequestLimits.conversationStatusesMax };
  for (const { key } of turn.range(statusesOfConversation, [turn.self.key, threadId], before))
    if (isToSender(key[2])) return true;
  return false;
}
