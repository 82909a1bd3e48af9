/** The handlers of rules for other servers, at both ends of a follow: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { severedMessages } from './severed.messages.ts';
import * as state from './severed.state.ts';
import { severed, tellSevered } from './severed.ts';
import { severFollows, treatByDomain } from './treat-by-domain.ts';

export const severedFeature = feature<AccountTurn>()({
  messages: severedMessages,
  handlers: { severed, tellSevered, severFollows, treatByDomain },
  state: [state],
  rules: state.severedRules,
});
