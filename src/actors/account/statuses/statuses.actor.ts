/** The handlers of statuses: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import * as deletion from './delete-status.ts';
import * as edits from './edit-status.ts';
import * as publishing from './publish.ts';
import * as replies from './replies.ts';
import { statusMessages } from './statuses.messages.ts';
import * as state from './statuses.state.ts';

export const statusesFeature = feature<AccountTurn>()({
  messages: statusMessages,
  handlers: { ...deletion, ...edits, ...replies, ...publishing },
  state: [state],
  rules: state.statusRules,
});
