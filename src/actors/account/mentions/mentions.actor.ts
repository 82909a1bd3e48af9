/** The handlers of mentions: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { mentionMessages } from './mentions.messages.ts';
import * as mentions from './mentions.ts';

export const mentionsFeature = feature<AccountTurn>()({
  messages: mentionMessages,
  handlers: mentions,
  state: [],
});
