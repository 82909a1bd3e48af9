/** The handlers of an account that leaves or takes things along: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import * as archives from './archives.ts';
import * as deletion from './delete-self.ts';
import { leavingMessages } from './leaving.messages.ts';
import * as state from './leaving.state.ts';

export const leavingFeature = feature<AccountTurn>()({
  messages: leavingMessages,
  handlers: { ...deletion, ...archives },
  state: [state],
  rules: state.leavingRules,
});
