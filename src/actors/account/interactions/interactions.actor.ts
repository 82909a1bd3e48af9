/** The handlers of favourites and reblogs: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import * as favourites from './favourite.ts';
import { interactionMessages } from './interactions.messages.ts';
import * as state from './interactions.state.ts';
import * as reblogs from './reblog.ts';
import * as rebloggers from './rebloggers.ts';

export const interactionsFeature = feature<AccountTurn>()({
  messages: interactionMessages,
  handlers: { ...favourites, ...reblogs, ...rebloggers },
  state: [state],
  rules: state.interactionRules,
});
