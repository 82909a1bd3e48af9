/** Follows and requests notify, and take their notifications along when they end; a block and a mute dismiss what was filtered. */
import type { RelationshipHooks } from '../relationships/relationship-hooks.ts';
import { dismissFollows, dismissRequests } from './follow-notifications.ts';
import { notificationPermissions } from './notification-requests.state.ts';
import { addNotification } from './notify.ts';
import { dismissSender } from './settle-requests.ts';

export const notificationHooks: RelationshipHooks = {
  approached: (turn, approach) => void addNotification(turn, approach),
  answered: dismissRequests,
  left: dismissFollows,
  blocked(turn, otherId, isOwn) {
    if (!isOwn) return;
    turn.delete(notificationPermissions, [turn.self.key, otherId]);
    dismissSender(turn, otherId);
  },
  muted(turn, targetId, { hidesNotifications }) {
    if (hidesNotifications) dismissSender(turn, targetId);
  },
};
