/** The handlers of notifications: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { notificationMessages } from './notifications.messages.ts';
import * as state from './notifications.state.ts';
import * as notifications from './notifications.ts';
import * as postNotifications from './post-notifications.ts';
import * as warnings from './warnings.state.ts';

export const notificationsFeature = feature<AccountTurn>()({
  messages: notificationMessages,
  handlers: { ...notifications, ...postNotifications },
  state: [state, warnings],
  rules: [...state.notificationRules, ...warnings.warningRules],
});
