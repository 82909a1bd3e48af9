/** Runs on a local follower: follows the new account of an account that has moved. */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { listChanged } from '../lists/lists.events.ts';
import { listMembers, listMembersByTime, lists, listsOfMember } from '../lists/lists.state.ts';
import { notes } from '../notes/notes.state.ts';
import type { Follow } from '../relationships/relationships.records.ts';
import { following, mutes } from '../relationships/relationships.state.ts';

type Move = BodyOf<typeof Account.followedMoved>;

/**
 * Follows the new account in the same way. The former follow ends when the new one stands: who has to be asked first is
 * followed under the old name until then.
 */
export function followMoved(turn: AccountTurn, move: Move): void {
  const accountId = turn.self.key;
  const { formerId, targetId, targetDestination } = move;
  const former = turn.get(following, [accountId, formerId]);
  if (former === undefined) return;
  keepDistance(turn, formerId, targetId);
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

/** The new account is in the lists of the former one, which is not followed any more. */
export function takeOver(turn: AccountTurn, { formerId, formerDestination, targetId }: Move): void {
  const accountId = turn.self.key;
  if (turn.get(following, [accountId, targetId])?.state === 'accepted')
    for (const { key } of [...turn.range(listsOfMember, [accountId, formerId])]) join(turn, key[2], targetId);
  turn.tell(Account.unfollow.to(accountId, { targetId: formerId, targetDestination: formerDestination }));
}

function join(turn: AccountTurn, listId: Id, memberId: Id): void {
  const accountId = turn.self.key;
  if (turn.get(listMembers, [listId, memberId]) !== undefined) return;
  const membershipId = turn.nextId();
  turn.put(listMembers, [listId, memberId], { id: membershipId });
  turn.put(listMembersByTime, [listId, membershipId], { id: memberId });
  turn.put(listsOfMember, [accountId, memberId, listId], true);
  turn.emit(listChanged, { accountId, listId, concernsHome: turn.get(lists, [listId])?.exclusive === true });
}

/** A mute that is over by itself is over there at the same time. */
function keepDistance(turn: AccountTurn, formerId: Id, targetId: Id): void {
  const accountId = turn.self.key;
  const mute = turn.get(mutes, [accountId, formerId]);
  if (mute === undefined || targetId === accountId || turn.get(mutes, [accountId, targetId]) !== undefined) return;
  const { hideNotifications, expiresAt } = mute;
  const durationSeconds = expiresAt === undefined ? 0 : Math.ceil((expiresAt - turn.now) / 1_000);
  if (durationSeconds >= 0) turn.tell(Account.mute.to(accountId, { targetId, hideNotifications, durationSeconds }));
}

function keepNote(turn: AccountTurn, formerId: Id, targetId: Id): void {
  const note = turn.get(notes, [turn.self.key, formerId]);
  if (note !== undefined && turn.get(notes, [turn.self.key, targetId]) === undefined)
    turn.put(notes, [turn.self.key, targetId], note);
}
