/**
 * What others keep about an account that moves, and take along: mutes and notes (behaviour of the Mastodon API). The
 * account's own actor notes who that is, so that a move asks nobody else.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { noteCharactersMax } from '../notes/notes.records.ts';
import { notes } from '../notes/notes.state.ts';
import { following, mutes } from '../relationships/relationships.state.ts';
import { isLocal } from '../relationships/store-follow.ts';
import { rememberedBy } from './moving.state.ts';

/** Call when a mute or a note was made or taken away. */
export function tellRemembered(turn: AccountTurn, targetId: Id): void {
  const key: [Id, Id] = [turn.self.key, targetId];
  const isRemembered = turn.get(mutes, key) !== undefined || turn.get(notes, key) !== undefined;
  turn.tell(Account.remembered.to(targetId, { by: turn.self.key, isRemembered }));
}

export function remembered(turn: AccountTurn, { by, isRemembered }: BodyOf<typeof Account.remembered>): undefined {
  if (isRemembered) turn.put(rememberedBy, [turn.self.key, by], true);
  else turn.delete(rememberedBy, [turn.self.key, by]);
}

/** On a local account that mutes the former one, or has a note on it. Whoever is followed on purpose is not muted. */
export function rememberedMoved(turn: AccountTurn, message: BodyOf<typeof Account.rememberedMoved>): undefined {
  const { formerId, targetId, formerAcct = '' } = message;
  const accountId = turn.self.key;
  if (!isLocal(turn) || targetId === accountId) return;
  const note = turn.get(notes, [accountId, formerId]);
  if (note !== undefined)
    noteOn(turn, targetId, `Moved here from ${formerAcct}. Your note on that account:`, note.comment);
  const mute = turn.get(mutes, [accountId, formerId]);
  if (mute === undefined || turn.get(mutes, [accountId, targetId]) !== undefined) return;
  if (turn.get(following, [accountId, targetId]) !== undefined) return;
  const { hideNotifications, expiresAt } = mute;
  // A mute that is over by itself is over there at the same time.
  const durationSeconds = expiresAt === undefined ? 0 : Math.ceil((expiresAt - turn.now) / 1_000);
  if (durationSeconds < 0) return;
  turn.tell(Account.mute.to(accountId, { targetId, hideNotifications, durationSeconds }));
  explain(turn, targetId, `Moved here from ${formerAcct}, whom you muted.`);
}

/** A note that says why the account is muted or blocked, where there is none. */
export function explain(turn: AccountTurn, targetId: Id, comment: string): void {
  if (turn.get(notes, [turn.self.key, targetId]) === undefined) keepNote(turn, targetId, comment);
}

/** In front of what was noted on the new account. What is too long loses the words in front of it, or comes not along. */
function noteOn(turn: AccountTurn, targetId: Id, heading: string, comment: string): void {
  const present = turn.get(notes, [turn.self.key, targetId])?.comment;
  const rest = present === undefined ? [] : [present];
  const fitting = [
    [heading, comment, ...rest],
    [comment, ...rest],
  ].find((parts) => parts.join('\n').length <= noteCharactersMax);
  if (fitting !== undefined) keepNote(turn, targetId, fitting.join('\n'));
}

function keepNote(turn: AccountTurn, targetId: Id, comment: string): void {
  turn.put(notes, [turn.self.key, targetId], { comment });
  tellRemembered(turn, targetId);
}
