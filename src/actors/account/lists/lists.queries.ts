/** Reads the lists of an account, their members, and which statuses belong in them. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { belongsInHome, belongsInList, type HomeFacts } from '../../policy/home.ts';
import type { ChooseAccount } from '../relationships/relationships.queries.ts';
import { following } from '../relationships/relationships.state.ts';
import type { List } from './lists.records.ts';
import { listMembers, listMembersByTime, lists, listsOfAccount, listsOfMember } from './lists.state.ts';

export interface StoredList extends List {
  readonly id: Id;
}

/** Oldest first. */
export function listsOf(reader: Reader, accountId: Id): StoredList[] {
  return Array.from(reader.range(listsOfAccount, [accountId])).flatMap(({ key }) => {
    const list = reader.get(lists, [key[1]]);
    return list === undefined ? [] : [{ ...list, id: key[1] }];
  });
}

/** A list of any account. */
export function findList(reader: Reader, listId: Id): StoredList | undefined {
  const list = reader.get(lists, [listId]);
  return list === undefined ? undefined : { ...list, id: listId };
}

/** The account's lists that contain a member. */
export function listsWithMember(reader: Reader, accountId: Id, memberId: Id): StoredList[] {
  return Array.from(reader.range(listsOfMember, [accountId, memberId])).flatMap(
    ({ key }) => findList(reader, key[2]) ?? [],
  );
}

export function isOnList(reader: Reader, listId: Id, accountId: Id): boolean {
  return reader.get(listMembers, [listId, accountId]) !== undefined;
}

export function* memberIdsOf(reader: Reader, listId: Id): Generator<Id> {
  for (const { key } of reader.range(listMembers, [listId])) yield key[1];
}

/** The number of members, counted up to a bound. */
export function countMembers(reader: Reader, listId: Id, countMax: number): number {
  let count = 0;
  for (const _member of reader.range(listMembers, [listId], { limit: countMax })) count += 1;
  return count;
}

/** Newest first. The cursors are ids of memberships. */
export function membersOf<Account>(
  reader: Reader,
  listId: Id,
  choose: ChooseAccount<Account>,
  bounds: PageBounds,
): Page<Account> {
  return takePage(
    reader.range(listMembersByTime, [listId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => choose(value.id),
  );
}

/** The members of an account's exclusive lists, whom its home omits. */
export function exclusiveMembers(reader: Reader, accountId: Id): ReadonlySet<Id> {
  const left = new Set<Id>();
  for (const { id, exclusive } of listsOf(reader, accountId))
    if (exclusive) for (const memberId of memberIdsOf(reader, id)) left.add(memberId);
  return left;
}

export function isExclusiveMember(reader: Reader, accountId: Id, memberId: Id): boolean {
  return listsWithMember(reader, accountId, memberId).some(({ exclusive }) => exclusive);
}

/**
 * Whether one status belongs in a list, by reading storage: what the owner's home would show, by the list's replies
 * policy.
 */
export function listFactsBelong(reader: Reader, listId: Id, facts: HomeFacts): boolean {
  const list = reader.get(lists, [listId]);
  const isMember = (accountId: Id) => isOnList(reader, listId, accountId);
  if (list === undefined || !isMember(facts.accountId)) return false;
  const follow = (accountId: Id) => reader.get(following, [list.accountId, accountId]);
  const followed = follow(facts.accountId);
  if (followed?.state !== 'accepted') return false;
  const isFollowed = (accountId: Id) => follow(accountId)?.state === 'accepted';
  return belongsInHome(facts, list.accountId, followed, isFollowed) && belongsInList(facts, list, isMember);
}
