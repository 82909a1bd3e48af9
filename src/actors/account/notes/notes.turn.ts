/** What turns of other features do with notes: write them, and tell the account concerned that it is remembered. */
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { mutes } from '../relationships/relationships.state.ts';
import { notes } from './notes.state.ts';

/** Call after a mute or a note was added or removed. */
export function tellRemembered(turn: AccountTurn, targetId: Id): void {
  const key: [Id, Id] = [turn.self.key, targetId];
  const isRemembered = turn.get(mutes, key) !== undefined || turn.get(notes, key) !== undefined;
  turn.tell(Account.remembered.to(targetId, { by: turn.self.key, isRemembered }));
}

export function putNote(turn: AccountTurn, targetId: Id, comment: string): void {
  turn.put(notes, [turn.self.key, targetId], { comment });
}
