/** Writes and removes the memberships of lists, with their indexes. */
import type { Id } from '../../../runtime/ids.ts';
import type { AccountTurn } from '../account.turn.ts';
import { listChanged } from './lists.events.ts';
import { listMembers, listMembersByTime, lists, listsOfMember } from './lists.state.ts';

/** A membership ends with the follow (specification 4.5). */
export function leaveLists(turn: AccountTurn, memberId: Id): void {
  const accountId = turn.self.key;
  for (const { key } of [...turn.range(listsOfMember, [accountId, memberId])]) {
    const [, , listId] = key;
    takeOut(turn, listId, memberId);
    const concernsHome = turn.get(lists, [listId])?.exclusive === true;
    turn.emit(listChanged, { accountId, listId, concernsHome });
  }
}

/** False where the account is not a member. */
export function takeOut(turn: AccountTurn, listId: Id, memberId: Id): boolean {
  const membership = turn.get(listMembers, [listId, memberId]);
  if (membership === undefined) return false;
  turn.delete(listMembers, [listId, memberId]);
  turn.delete(listMembersByTime, [listId, membership.id]);
  turn.delete(listsOfMember, [turn.self.key, memberId, listId]);
  return true;
}

/** The account must not be a member already. */
export function putMember(turn: AccountTurn, listId: Id, memberId: Id): void {
  const membershipId = turn.nextId();
  turn.put(listMembers, [listId, memberId], { id: membershipId });
  turn.put(listMembersByTime, [listId, membershipId], { id: memberId });
  turn.put(listsOfMember, [turn.self.key, memberId, listId], true);
}

/** Another account takes the place of a member in all its lists. */
export function joinListsOf(turn: AccountTurn, memberId: Id, joiningId: Id): void {
  const accountId = turn.self.key;
  for (const { key } of [...turn.range(listsOfMember, [accountId, memberId])]) {
    const [, , listId] = key;
    if (turn.get(listMembers, [listId, joiningId]) !== undefined) continue;
    putMember(turn, listId, joiningId);
    turn.emit(listChanged, { accountId, listId, concernsHome: turn.get(lists, [listId])?.exclusive === true });
  }
}
