/** The handlers of follows, blocks and mutes: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import * as blocks from './block.ts';
import * as domainBlocks from './blocked-domains.state.ts';
import * as follows from './follow.ts';
import * as requests from './follow-requests.ts';
import * as mutes from './mute.ts';
import { relationshipMessages } from './relationships.messages.ts';
import * as state from './relationships.state.ts';

export const relationshipsFeature = feature<AccountTurn>()({
  messages: relationshipMessages,
  handlers: { ...blocks, ...follows, ...requests, ...mutes },
  state: [state, domainBlocks],
  rules: [...state.relationshipRules, ...domainBlocks.domainBlockRules],
});
