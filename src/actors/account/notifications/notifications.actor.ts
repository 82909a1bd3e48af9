/** The handlers of notifications: each message is run by the function of its name. */
import { handlersOf } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { notificationMessages } from './notifications.messages.ts';
import * as notifications from './notifications.ts';
import * as postNotifications from './post-notifications.ts';

export const notificationHandlers = handlersOf<AccountTurn>()(notificationMessages, {
  ...notifications,
  ...postNotifications,
});
