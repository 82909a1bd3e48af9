/** From where tokens and browsers are used: the last address, for their owner, as long as addresses are kept. */
import { Session, type UsedFrom } from './session.messages.ts';
import { browserSessions, tokens } from './session.state.ts';
import type { SessionTurn } from './session.turn.ts';

/** The field of the record: one timer for each, whatever address comes later. */
export function withUse(
  turn: SessionTurn,
  before: { readonly usedFrom?: UsedFrom | undefined },
  from: UsedFrom | undefined,
): { usedFrom?: UsedFrom } {
  if (from === undefined) return {};
  if (before.usedFrom === undefined) turn.schedule(from.until, Session.forgetUsedFrom.to(turn.self.key, {}));
  return { usedFrom: from };
}

/** Waits for the end of a later address. */
export function forgetUsedFrom(turn: SessionTurn): undefined {
  const { key } = turn.self;
  const token = turn.get(tokens, [key]);
  const session = turn.get(browserSessions, [key]);
  const until = (token ?? session)?.usedFrom?.until;
  if (until === undefined) return;
  if (until > turn.now) turn.schedule(until, Session.forgetUsedFrom.to(key, {}));
  else if (token !== undefined) turn.put(tokens, [key], { ...token, usedFrom: undefined });
  else if (session !== undefined) turn.put(browserSessions, [key], { ...session, usedFrom: undefined });
}
