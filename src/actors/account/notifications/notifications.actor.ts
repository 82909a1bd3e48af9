/** The handlers of notifications: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { notificationMailsDue } from './notification-mails.ts';
import { notificationMessages } from './notifications.messages.ts';
import * as state from './notifications.state.ts';
import * as notifications from './notifications.ts';
import * as postNotifications from './post-notifications.ts';

export const notificationsFeature = feature<AccountTurn>()({
  messages: notificationMessages,
  handlers: { ...notifications, ...postNotifications, notificationMailsDue },
  state: [state],
  rules: state.notificationRules,
});
