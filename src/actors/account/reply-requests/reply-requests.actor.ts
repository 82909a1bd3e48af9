/** The handlers of requests to reply: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import {
  decideReply,
  refuseReplyRequest,
  replyAuthorized,
  replyRequestExpired,
  replyRequested,
  replyRequestRemoved,
  revokeReply,
} from './deciding.ts';
import { replyRequestMessages } from './reply-requests.messages.ts';
import * as state from './reply-requests.state.ts';
import { receiveReplyAnswer, receiveReplyRequest, replyDecided, replyJudged } from './waiting.ts';

export const replyRequestsFeature = feature<AccountTurn>()({
  messages: replyRequestMessages,
  handlers: {
    ...{ replyRequested, decideReply, replyDecided, receiveReplyAnswer, receiveReplyRequest, refuseReplyRequest },
    ...{ revokeReply, replyAuthorized, replyRequestRemoved, replyRequestExpired, replyJudged },
  },
  state: [state],
  rules: state.replyRequestRules,
});
