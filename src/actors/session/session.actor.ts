/** The session actor: every message with its handler. */
import { implement } from '../../runtime/contract.ts';
import {
  applicationTokenGone,
  applicationTokenIssued,
  applicationUsed,
  forgetUnusedApplication,
  registerApplication,
} from './applications.ts';
import {
  browserSessionOver,
  browserSessionUsed,
  closeBrowserSession,
  openBrowserSession,
  subscribeBrowserToPush,
} from './browser-sessions.ts';
import { exchangeCode, forgetCode, issueCode } from './codes.ts';
import { Session } from './session.messages.ts';
import type { SessionTurn } from './session.turn.ts';
import { issueToken, revokeToken, subscribeToPush, tokenUsed } from './tokens.ts';
import { forgetUsedFrom } from './used-from.ts';
import {
  browserSessionGone,
  browserSessionOpened,
  closeBrowsersOfUser,
  revokeTokensOfUser,
  tokenGone,
  tokenIssued,
  userActive,
} from './users.ts';

export const sessionActor = implement<SessionTurn>()(Session, {
  registerApplication,
  applicationUsed,
  forgetUnusedApplication,
  applicationTokenIssued,
  applicationTokenGone,
  issueCode,
  exchangeCode,
  forgetCode,
  issueToken,
  revokeToken,
  tokenUsed,
  dropToken: revokeToken,
  forgetUsedFrom,
  subscribeToPush,
  userActive,
  tokenIssued,
  tokenGone,
  revokeTokensOfUser,
  browserSessionOpened,
  browserSessionGone,
  closeBrowsersOfUser,
  openBrowserSession,
  closeBrowserSession,
  forgetBrowserSession: closeBrowserSession,
  browserSessionUsed,
  browserSessionOver,
  subscribeBrowserToPush,
});
