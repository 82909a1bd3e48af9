/**
 * A home timeline, or that of a list, computed by merging: for cold feeds, for pages older than a feed ring, and to
 * fill a ring. A warm ring gives the same ids (the simulation compares them).
 */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { readingLimits } from '../../limits.ts';
import { mergeIds, type Order } from '../../merge.ts';
import type { PageBounds } from '../../pages.ts';
import { belongsInHome, belongsInList, type HomeFacts } from '../../policy/home.ts';
import { exclusiveMembers, findList, memberIdsOf } from '../lists/lists.queries.ts';
import type { Follow } from '../relationships/relationships.records.ts';
import { following } from '../relationships/relationships.state.ts';
import { statusesOfAccount } from '../statuses/statuses.state.ts';

/** Statuses read per author, at first and at most: a home merges many authors, and most contribute few (measured). */
const firstChunkEntries = 2;
const chunkEntriesMax = 32;

/** Reads of an author's statuses between two pauses: some 1.5 ms (measured). */
const authorsPerStep = 64;

/**
 * Ids of a home timeline, newest first. A generator that yields between steps, so that its thread can do other work. A
 * home of few authors takes one step.
 */
export function* homeStatusIds(
  reader: Reader,
  viewerId: Id,
  bounds: PageBounds,
): Generator<undefined, Id[], undefined> {
  const follows = yield* acceptedFollows(reader, viewerId);
  const isFollowed = (accountId: Id) => follows.has(accountId);
  const leftOut = exclusiveMembers(reader, viewerId);
  const authors: Author[] = [{ authorId: viewerId, belongs: () => true }];
  for (const [authorId, follow] of follows)
    if (!leftOut.has(authorId))
      authors.push({ authorId, belongs: (facts) => belongsInHome(facts, viewerId, follow, isFollowed) });
  return yield* merged(reader, authors, bounds);
}

/** The same for a list; empty for an unknown list. */
export function* listStatusIds(reader: Reader, listId: Id, bounds: PageBounds): Generator<undefined, Id[], undefined> {
  const list = findList(reader, listId);
  if (list === undefined) return [];
  const follows = yield* acceptedFollows(reader, list.accountId);
  const isFollowed = (accountId: Id) => follows.has(accountId);
  const members = new Set(memberIdsOf(reader, listId));
  const isMember = (accountId: Id) => members.has(accountId);
  const authors: Author[] = [];
  for (const [authorId, follow] of follows) {
    if (!isMember(authorId)) continue;
    const belongs = (facts: HomeFacts) =>
      belongsInHome(facts, list.accountId, follow, isFollowed) && belongsInList(facts, list, isMember);
    authors.push({ authorId, belongs });
  }
  return yield* merged(reader, authors, bounds);
}

/** An author of a timeline, with the condition on statuses that belong in it. */
interface Author {
  readonly authorId: Id;
  readonly belongs: (facts: HomeFacts) => boolean;
}

function* merged(
  reader: Reader,
  authors: readonly Author[],
  bounds: PageBounds,
): Generator<undefined, Id[], undefined> {
  const order: Order = bounds.minId === undefined ? 'newest first' : 'oldest first';
  const sources: Iterable<Id>[] = [];
  for (const author of authors) {
    sources.push(begun(statusesOf(reader, author, order, bounds)));
    if (sources.length % authorsPerStep === 0) yield;
  }
  const ids: Id[] = [];
  for (const id of mergeIds(sources, order)) {
    ids.push(id);
    if (ids.length === bounds.limit) break;
    if (ids.length % authorsPerStep === 0) yield;
  }
  return order === 'oldest first' ? ids.reverse() : ids;
}

function* acceptedFollows(reader: Reader, viewerId: Id): Generator<undefined, ReadonlyMap<Id, Follow>, undefined> {
  const follows = new Map<Id, Follow>();
  const limit = readingLimits.sliceStatuses;
  let from: Id | undefined;
  for (;;) {
    let read = 0;
    for (const [targetId, follow] of followsOf(reader, viewerId, { from, limit })) {
      read += 1;
      from = targetId + 1n;
      if (follow.state === 'accepted') follows.set(targetId, follow);
    }
    if (read < limit) return follows;
    yield;
  }
}

/** Reads the first id now instead of when the merge begins. */
function begun(source: Iterator<Id>): Iterable<Id> {
  const first = source.next();
  return first.done ? [] : from(first.value, source);
}

function* from(first: Id, rest: Iterator<Id>): Generator<Id> {
  yield first;
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value;
}

function* statusesOf(
  reader: Reader,
  { authorId, belongs }: Author,
  order: Order,
  { minId, sinceId, maxId }: PageBounds,
): Generator<Id> {
  for (const [id, summary] of chunked(reader, authorId, order, minId ?? sinceId, maxId))
    if (belongs({ id, accountId: authorId, ...summary })) yield id;
}

/** Reads an author's statuses in short ranges: a range that stays open while others are read pins pages of the file. */
function* chunked(reader: Reader, authorId: Id, order: Order, after: Id | undefined, before: Id | undefined) {
  const newestFirst = order === 'newest first';
  let from = after === undefined ? undefined : after + 1n;
  let until = before;
  for (let limit = firstChunkEntries; ; limit = Math.min(limit * 4, chunkEntriesMax)) {
    const chunk = [...reader.range(statusesOfAccount, [authorId], { from, until, reverse: newestFirst, limit })];
    for (const { key, value } of chunk) yield [key[1], value] as const;
    const last = chunk.at(-1);
    if (last === undefined || chunk.length < limit) return;
    if (newestFirst) until = last.key[1];
    else from = last.key[1] + 1n;
  }
}

/** Whom an account follows, accepted or not; all or a part of them, in the order of their ids. */
export function* followsOf(
  reader: Reader,
  accountId: Id,
  part: { readonly from?: Id | undefined; readonly limit?: number } = {},
): Generator<readonly [Id, Follow]> {
  for (const { key, value } of reader.range(following, [accountId], part)) yield [key[1], value];
}

export function followOf(reader: Reader, accountId: Id, targetId: Id): Follow | undefined {
  return reader.get(following, [accountId, targetId]);
}

/**
 * Whether one status belongs in a viewer's home, by reading storage. Members of exclusive lists are treated like
 * accounts that are not followed: their statuses appear in the list instead.
 */
export function homeFactsBelong(reader: Reader, viewerId: Id, facts: HomeFacts): boolean {
  if (facts.accountId === viewerId) return true;
  const follow = reader.get(following, [viewerId, facts.accountId]);
  if (follow?.state !== 'accepted') return false;
  return belongsInHome(
    facts,
    viewerId,
    follow,
    (other) => reader.get(following, [viewerId, other])?.state === 'accepted',
  );
}
