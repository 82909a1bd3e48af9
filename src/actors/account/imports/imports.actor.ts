/** The handlers of imports: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { importMessages } from './imports.messages.ts';
import * as state from './imports.state.ts';
import * as lists from './imports.ts';
import * as posts from './posts.ts';

export const importsFeature = feature<AccountTurn>()({
  messages: importMessages,
  handlers: { ...lists, ...posts },
  state: [state],
  rules: state.importRules,
});
