/** The handlers of subscriptions by mail: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { emailPosts, emailsDue } from './email-posts.ts';
import { emailSubscriptionMessages } from './email-subscriptions.messages.ts';
import * as state from './email-subscriptions.state.ts';
import * as managing from './manage-subscriptions.ts';

export const emailSubscriptionsFeature = feature<AccountTurn>()({
  messages: emailSubscriptionMessages,
  handlers: { ...managing, emailsDue, emailPosts },
  state: [state],
  rules: state.emailSubscriptionRules,
});
