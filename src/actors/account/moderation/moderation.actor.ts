/** The handlers of what staff do about an account: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import * as appeals from './appeals.state.ts';
import { appeal, decideAppeal } from './appeals.ts';
import { endFollowsOfSuspended } from './end-follows.ts';
import { markSensitive } from './mark-sensitive.ts';
import { moderationMessages } from './moderation.messages.ts';
import { reject } from './reject.ts';
import { removeOwn, serversFound } from './remove-data.ts';
import { removePictures } from './remove-pictures.ts';
import { removeSuspended, suspendedDataDue } from './remove-suspended.ts';
import { changeStanding, sanction, warn } from './sanction.ts';
import { unblockEmail } from './unblock-email.ts';
import * as warnings from './warnings.state.ts';

export const moderationFeature = feature<AccountTurn>()({
  messages: moderationMessages,
  handlers: {
    warn,
    sanction,
    changeStanding,
    endFollowsOfSuspended,
    suspendedDataDue,
    markSensitive,
    removeSuspended,
    serversFound,
    removeOwn,
    reject,
    removePictures,
    appeal,
    decideAppeal,
    unblockEmail,
  },
  state: [warnings, appeals],
  rules: [...warnings.warningRules, ...appeals.appealRules],
});
