/** The handlers of a local account: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import * as lifecycle from './lifecycle.ts';
import { profileMessages } from './profile.messages.ts';
import * as state from './profile.state.ts';

export const profileFeature = feature<AccountTurn>()({
  messages: profileMessages,
  handlers: { ...lifecycle },
  state: [state],
  rules: state.profileRules,
});
