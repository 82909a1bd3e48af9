/** Runs on a local follower of an account that has moved: follows the new account. */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { joinListsOf } from '../lists/leave-lists.ts';
import { notes } from '../notes/notes.state.ts';
import { putNote } from '../notes/notes.turn.ts';
import type { Follow } from '../relationships/relationships.records.ts';
import { following } from '../relationships/relationships.state.ts';
import { takeMuteAlong } from './remember.ts';

type Move = BodyOf<typeof Account.followedMoved>;

/**
 * Follows the new account with the same options. The former follow ends when the new one is accepted: until then a new
 * account that approves its followers is followed under the old name.
 */
export function followMoved(turn: AccountTurn, move: Move): void {
  const accountId = turn.self.key;
  const { formerId, targetId, targetDestination } = move;
  const former = turn.get(following, [accountId, formerId]);
  if (former === undefined) return;
  if (targetId !== accountId) takeMuteAlong(turn, formerId, targetId);
  keepNote(turn, formerId, targetId);
  const present = turn.get(following, [accountId, targetId]);
  if (targetId === accountId || present?.state === 'accepted') {
    turn.tell(Account.followReplaced.to(accountId, move));
    return;
  }
  const { showReblogs, notify, languages } = former;
  const options = { showReblogs, notify, ...(languages && { languages }) };
  turn.tell(Account.follow.to(accountId, { targetId, targetDestination, options, replaces: replacedBy(move) }));
}

function replacedBy({ formerId, formerDestination }: Move): NonNullable<Follow['replaces']> {
  return { accountId: formerId, destination: formerDestination };
}

/** The new account joins the lists of the former one, which is no longer followed. */
export function takeOver(turn: AccountTurn, { formerId, formerDestination, targetId }: Move): void {
  const accountId = turn.self.key;
  if (turn.get(following, [accountId, targetId])?.state === 'accepted') joinListsOf(turn, formerId, targetId);
  turn.tell(Account.unfollow.to(accountId, { targetId: formerId, targetDestination: formerDestination }));
}

function keepNote(turn: AccountTurn, formerId: Id, targetId: Id): void {
  const note = turn.get(notes, [turn.self.key, formerId]);
  if (note !== undefined && turn.get(notes, [turn.self.key, targetId]) === undefined)
    putNote(turn, targetId, note.comment);
}
