/** Lists of tokens in the order of issue, which bound their number. */
import { Session, tokenKey } from './session.messages.ts';
import type { tokensOfApplication, tokensOfUser } from './session.state.ts';
import type { SessionTurn } from './session.turn.ts';

type TokenList = typeof tokensOfApplication | typeof tokensOfUser;

/** Above the bound the oldest token is revoked. */
export function listToken(turn: SessionTurn, list: TokenList, tokenId: string, tokensMax: number): void {
  turn.put(list, [turn.self.key, turn.nextId()], { tokenId });
  const listed = [...turn.range(list, [turn.self.key])];
  for (const { value } of listed.slice(0, Math.max(0, listed.length - tokensMax)))
    turn.tell(Session.dropToken.to(tokenKey(value.tokenId), {}));
}

export function unlistToken(turn: SessionTurn, list: TokenList, tokenId: string): void {
  for (const { key, value } of [...turn.range(list, [turn.self.key])])
    if (value.tokenId === tokenId) turn.delete(list, [turn.self.key, key[1]]);
}
