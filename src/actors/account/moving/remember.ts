/**
 * Mutes and notes about an account, which its move carries over (behaviour of the Mastodon API). The account's own
 * actor stores who has any, so that a move need not search for them.
 */

import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { noteCharactersMax } from '../notes/notes.records.ts';
import { notes } from '../notes/notes.state.ts';
import { putNote, tellRemembered } from '../notes/notes.turn.ts';
import { isLocal } from '../profile/profile.turn.ts';
import { following, mutes } from '../relationships/relationships.state.ts';
import { rememberedBy } from './moving.state.ts';

export function remembered(turn: AccountTurn, { by, isRemembered }: BodyOf<typeof Account.remembered>): undefined {
  if (isRemembered) turn.put(rememberedBy, [turn.self.key, by], true);
  else turn.delete(rememberedBy, [turn.self.key, by]);
}

/** Runs on a local account that mutes the former one, or has a note on it. */
export function rememberedMoved(turn: AccountTurn, message: BodyOf<typeof Account.rememberedMoved>): undefined {
  const { formerId, targetId, formerAcct = '' } = message;
  const accountId = turn.self.key;
  if (!isLocal(turn) || targetId === accountId) return;
  const note = turn.get(notes, [accountId, formerId]);
  if (note !== undefined)
    noteOn(turn, targetId, `Moved here from ${formerAcct}. Your note on that account:`, note.comment);
  if (takeMuteAlong(turn, formerId, targetId))
    explain(turn, targetId, `Moved here from ${formerAcct}, whom you muted.`);
}

/**
 * Mutes the new account as the former one, until the same time. Returns false where there is nothing to do, and for an
 * account that is followed on purpose.
 */
export function takeMuteAlong(turn: AccountTurn, formerId: Id, targetId: Id): boolean {
  const accountId = turn.self.key;
  const mute = turn.get(mutes, [accountId, formerId]);
  if (mute === undefined || turn.get(mutes, [accountId, targetId]) !== undefined) return false;
  if (turn.get(following, [accountId, targetId]) !== undefined) return false;
  const { hideNotifications, expiresAt } = mute;
  // A mute for 0 seconds would never end.
  if (expiresAt !== undefined && expiresAt <= turn.now) return false;
  const durationSeconds = expiresAt === undefined ? 0 : Math.ceil((expiresAt - turn.now) / 1_000);
  turn.tell(Account.mute.to(accountId, { targetId, hideNotifications, durationSeconds }));
  return true;
}

/** Notes why the account is muted or blocked, where there is no note yet. */
export function explain(turn: AccountTurn, targetId: Id, comment: string): void {
  if (turn.get(notes, [turn.self.key, targetId]) === undefined) keepNote(turn, targetId, comment);
}

/** Put before an existing note on the new account. When too long it loses its heading, or is dropped. */
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
  putNote(turn, targetId, comment);
  tellRemembered(turn, targetId);
}
