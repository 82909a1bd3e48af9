/** The handlers of follows, blocks and mutes: each message is run by the function of its name. */
import { handlersOf } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import * as blocks from './block.ts';
import * as follows from './follow.ts';
import * as requests from './follow-requests.ts';
import * as mutes from './mute.ts';
import { relationshipMessages } from './relationships.messages.ts';

export const relationshipHandlers = handlersOf<AccountTurn>()(relationshipMessages, {
  ...blocks,
  ...follows,
  ...requests,
  ...mutes,
});
