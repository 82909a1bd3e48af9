/** OAuth applications: registered by anybody, kept once somebody has signed in through them. */

import type { BodyOf } from '../../runtime/contract.ts';
import { sessionLimits } from './limits.ts';
import { Session } from './session.messages.ts';
import { applications, tokensOfApplication } from './session.state.ts';
import type { SessionTurn } from './session.turn.ts';
import { listToken, unlistToken } from './token-lists.ts';

/** The caller draws the client id at random: one that exists already was registered by a repeated message. */
export function registerApplication(turn: SessionTurn, message: BodyOf<typeof Session.registerApplication>) {
  const { permanent, ...registered } = message;
  const present = turn.get(applications, [turn.self.key]);
  if (present !== undefined) return { applicationId: present.id };
  const application = { ...registered, id: turn.nextId(), createdAt: turn.now, used: permanent };
  turn.put(applications, [turn.self.key], application);
  if (!permanent) {
    const at = turn.now + sessionLimits.unusedApplicationMilliseconds;
    turn.schedule(at, Session.forgetUnusedApplication.to(turn.self.key, {}));
  }
  return { applicationId: application.id };
}

export function applicationUsed(turn: SessionTurn): undefined {
  const application = turn.get(applications, [turn.self.key]);
  if (application !== undefined && !application.used)
    turn.put(applications, [turn.self.key], { ...application, used: true });
}

export function forgetUnusedApplication(turn: SessionTurn): undefined {
  if (turn.get(applications, [turn.self.key])?.used === false) turn.delete(applications, [turn.self.key]);
}

/** A token of the application itself. */
export function applicationTokenIssued(
  turn: SessionTurn,
  { tokenId }: BodyOf<typeof Session.applicationTokenIssued>,
): undefined {
  listToken(turn, tokensOfApplication, tokenId, sessionLimits.tokensPerApplicationMax);
}

export function applicationTokenGone(
  turn: SessionTurn,
  { tokenId }: BodyOf<typeof Session.applicationTokenGone>,
): undefined {
  unlistToken(turn, tokensOfApplication, tokenId);
}
