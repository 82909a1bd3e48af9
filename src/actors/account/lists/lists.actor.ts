/** Lists: private to their owner, who must follow the members (specification 4.5). */

import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { following } from '../relationships/relationships.state.ts';
import { putMember, takeOut } from './leave-lists.ts';
import { listLimits } from './limits.ts';
import { listChanged } from './lists.events.ts';
import { listMessages } from './lists.messages.ts';
import type { List } from './lists.records.ts';
import * as state from './lists.state.ts';

const { lists, listsOfAccount, listMembers } = state;

/** Throws validation above the bound. */
function createList(turn: AccountTurn, given: BodyOf<typeof listMessages.createList>): { listId: Id } {
  ownProfile(turn);
  const accountId = turn.self.key;
  if ([...turn.range(listsOfAccount, [accountId])].length >= listLimits.listsMax)
    throw validationFailure(`You cannot have more than ${listLimits.listsMax} lists`, {
      reason: 'tooManyLists',
      limit: listLimits.listsMax,
    });
  const listId = turn.nextId();
  turn.put(lists, [listId], { accountId, ...given });
  turn.put(listsOfAccount, [accountId, listId], true);
  return { listId };
}

function changeList(turn: AccountTurn, change: BodyOf<typeof listMessages.changeList>): undefined {
  const { listId, title, repliesPolicy, exclusive } = change;
  const before = ownList(turn, listId);
  const after = {
    ...before,
    title: title ?? before.title,
    repliesPolicy: repliesPolicy ?? before.repliesPolicy,
    exclusive: exclusive ?? before.exclusive,
  };
  turn.put(lists, [listId], after);
  tellChanged(turn, listId, after.exclusive !== before.exclusive);
}

function removeList(turn: AccountTurn, { listId }: BodyOf<typeof listMessages.removeList>): undefined {
  const { exclusive } = ownList(turn, listId);
  turn.delete(lists, [listId]);
  turn.delete(listsOfAccount, [turn.self.key, listId]);
  tellChanged(turn, listId, exclusive);
  sweepList(turn, { listId });
}

function sweepList(turn: AccountTurn, { listId, slice: before = 0 }: BodyOf<typeof listMessages.sweepList>): undefined {
  const { membersSweptPerTurn: limit } = listLimits;
  const slice = [...turn.range(listMembers, [listId], { limit })];
  for (const { key } of slice) takeOut(turn, listId, key[1]);
  if (slice.length === limit) turn.tell(Account.sweepList.to(turn.self.key, { listId, slice: before + 1 }));
}

/** Throws notFound where one of the accounts is not followed, validation where one is in the list already. */
function addToList(turn: AccountTurn, { listId, memberIds }: BodyOf<typeof listMessages.addToList>): undefined {
  const accountId = turn.self.key;
  const { exclusive } = ownList(turn, listId);
  for (const memberId of new Set(memberIds)) {
    if (turn.get(following, [accountId, memberId])?.state !== 'accepted') throw new Failure('notFound');
    if (turn.get(listMembers, [listId, memberId]) !== undefined)
      throw validationFailure('Account has already been taken');
    putMember(turn, listId, memberId);
  }
  tellChanged(turn, listId, exclusive);
}

/** Accounts that are not in the list are ignored. */
function removeFromList(
  turn: AccountTurn,
  { listId, memberIds }: BodyOf<typeof listMessages.removeFromList>,
): undefined {
  const { exclusive } = ownList(turn, listId);
  const removed = memberIds.filter((memberId) => takeOut(turn, listId, memberId));
  if (removed.length > 0) tellChanged(turn, listId, exclusive);
}

function ownList(turn: AccountTurn, listId: Id): List {
  const isOwn = turn.get(listsOfAccount, [turn.self.key, listId]) !== undefined;
  const list = isOwn ? turn.get(lists, [listId]) : undefined;
  if (list === undefined) throw new Failure('notFound');
  return list;
}

function tellChanged(turn: AccountTurn, listId: Id, concernsHome: boolean): void {
  turn.emit(listChanged, { accountId: turn.self.key, listId, concernsHome });
}

export const listsFeature = feature<AccountTurn>()({
  messages: listMessages,
  handlers: { createList, changeList, removeList, addToList, removeFromList, sweepList },
  state: [state],
  rules: state.listRules,
});
