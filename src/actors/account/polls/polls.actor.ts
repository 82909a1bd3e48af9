/** The handlers of polls: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import * as ends from './poll-end.ts';
import { pollMessages } from './polls.messages.ts';
import * as state from './polls.state.ts';
import * as votes from './vote.ts';

export const pollsFeature = feature<AccountTurn>()({
  messages: pollMessages,
  handlers: { ...ends, ...votes },
  state: [state],
  rules: state.pollRules,
});
