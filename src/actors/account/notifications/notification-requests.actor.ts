/** The handlers of notification policies and requests: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { changeNotificationPolicy } from './change-policy.ts';
import { notificationRequestMessages } from './notification-requests.messages.ts';
import * as state from './notification-requests.state.ts';
import { continueSettlements, settleNotificationRequests } from './settle-requests.ts';

export const notificationRequestsFeature = feature<AccountTurn>()({
  messages: notificationRequestMessages,
  handlers: { changeNotificationPolicy, settleNotificationRequests, continueSettlements },
  state: [state],
  rules: state.notificationRequestRules,
});
