/** Notes on other accounts. */

import { type BodyOf, feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { noteMessages } from './notes.messages.ts';
import * as state from './notes.state.ts';
import { putNote, tellRemembered } from './notes.turn.ts';

function setNote(turn: AccountTurn, { targetId, comment }: BodyOf<typeof noteMessages.setNote>): undefined {
  const isNoted = turn.get(state.notes, [turn.self.key, targetId]) !== undefined;
  if (comment === '') turn.delete(state.notes, [turn.self.key, targetId]);
  else putNote(turn, targetId, comment);
  if (isNoted !== (comment !== '')) tellRemembered(turn, targetId);
}

export const notesFeature = feature<AccountTurn>()({
  messages: noteMessages,
  handlers: { setNote },
  state: [state],
});
