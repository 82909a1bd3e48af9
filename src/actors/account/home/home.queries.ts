/**
 * A home timeline, or that of a list, computed by merging: for cold feeds, for pages older than a feed ring, and to
 * fill a ring. A warm ring gives the same ids (the simulation compares them).
 */
import type { Id } from '../../../runtime/ids.ts';
import type { RangeQuery, Reader } from '../../../runtime/storage/reader.ts';
import { readingLimits } from '../../limits.ts';
import { mergeIds, type Order } from '../../merge.ts';
import type { PageBounds } from '../../pages.ts';
import { belongsInHome, belongsInList, type HomeFacts, isInHomes } from '../../policy/home.ts';
import { exclusiveMembers, findList, memberIdsOf } from '../lists/lists.queries.ts';
import type { Follow } from '../relationships/relationships.records.ts';
import { following } from '../relationships/relationships.state.ts';
import type { StatusSummary } from '../statuses/statuses.records.ts';
import { statusesOfAccount } from '../statuses/statuses.state.ts';

/** Statuses read per author, at first and at most: a home merges many authors, and most contribute few (measured). */
const firstChunkEntries = 2;
const chunkEntriesMax = 32;

/** Between two pauses: reads of authors' statuses, some 1.5 ms (measured), and steps without a read. */
const readsPerStep = 64;
const stepsPerRead = 8;

export type AuthorStatus = readonly [id: Id, summary: StatusSummary];

/** Where a merge gets the statuses of an author from. */
export interface AuthorStatuses {
  /** Those before an id, newest first. */
  newest(reader: Reader, authorId: Id, before: Id | undefined): Iterator<AuthorStatus>;
  /** Whether the newest are in memory: then beginning to read them costs next to nothing. */
  isAtHand(authorId: Id): boolean;
}

export const storedStatuses: AuthorStatuses = {
  newest: (reader, authorId, before) => chunked(reader, authorId, { before }),
  isAtHand: () => false,
};

/**
 * Ids of a home timeline, newest first. A generator that yields between steps, so that its thread can do other work. A
 * home of few authors takes one step.
 */
export function* homeStatusIds(
  reader: Reader,
  viewerId: Id,
  bounds: PageBounds,
  statuses: AuthorStatuses = storedStatuses,
): Generator<undefined, Id[], undefined> {
  const follows = yield* acceptedFollows(reader, viewerId);
  const isFollowed = (accountId: Id) => follows.has(accountId);
  const leftOut = exclusiveMembers(reader, viewerId);
  const authors: Author[] = [{ authorId: viewerId, belongs: isInHomes }];
  for (const [authorId, follow] of follows)
    if (!leftOut.has(authorId))
      authors.push({ authorId, belongs: (facts) => belongsInHome(facts, viewerId, follow, isFollowed) });
  return yield* merged({ reader, statuses }, authors, bounds);
}

/** The same for a list; empty for an unknown list. */
export function* listStatusIds(
  reader: Reader,
  listId: Id,
  bounds: PageBounds,
  statuses: AuthorStatuses = storedStatuses,
): Generator<undefined, Id[], undefined> {
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
  return yield* merged({ reader, statuses }, authors, bounds);
}

/** An author of a timeline, with the condition on statuses that belong in it. */
interface Author {
  readonly authorId: Id;
  readonly belongs: (facts: HomeFacts) => boolean;
}

interface Sources {
  readonly reader: Reader;
  readonly statuses: AuthorStatuses;
}

function* merged(
  { reader, statuses }: Sources,
  authors: readonly Author[],
  bounds: PageBounds,
): Generator<undefined, Id[], undefined> {
  const order: Order = bounds.minId === undefined ? 'newest first' : 'oldest first';
  const sources: Iterable<Id>[] = [];
  let steps = 0;
  const isLong = (count: number) => {
    steps += count;
    if (steps < readsPerStep * stepsPerRead) return false;
    steps = 0;
    return true;
  };
  for (const author of authors) {
    const isAtHand = order === 'newest first' && statuses.isAtHand(author.authorId);
    sources.push(begun(statusesOf({ reader, statuses }, author, bounds)));
    if (isLong(isAtHand ? 1 : stepsPerRead)) yield;
  }
  const ids: Id[] = [];
  for (const id of mergeIds(sources, order)) {
    ids.push(id);
    if (ids.length === bounds.limit) break;
    if (isLong(stepsPerRead)) yield;
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

function* statusesOf(sources: Sources, { authorId, belongs }: Author, bounds: PageBounds): Generator<Id> {
  const statuses = within(sources, authorId, bounds);
  for (let next = statuses.next(); !next.done; next = statuses.next()) {
    const [id, summary] = next.value;
    if (bounds.minId === undefined && bounds.sinceId !== undefined && id <= bounds.sinceId) return;
    if (belongs({ id, accountId: authorId, ...summary })) yield id;
  }
}

function within({ reader, statuses }: Sources, authorId: Id, { minId, maxId }: PageBounds): Iterator<AuthorStatus> {
  return minId === undefined
    ? statuses.newest(reader, authorId, maxId)
    : chunked(reader, authorId, { after: minId, before: maxId });
}

interface Chunks {
  /** Oldest first from behind this id; newest first without it. */
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
}

/** Reads an author's statuses in short ranges: a range that stays open while others are read pins pages of the file. */
function* chunked(reader: Reader, authorId: Id, { after, before }: Chunks): Generator<AuthorStatus> {
  const newestFirst = after === undefined;
  let from = newestFirst ? undefined : after + 1n;
  let until = before;
  for (let limit = firstChunkEntries; ; limit = Math.min(limit * 4, chunkEntriesMax)) {
    const chunk = read(reader, authorId, { from, until, reverse: newestFirst, limit });
    yield* chunk;
    const last = chunk.at(-1);
    if (last === undefined || chunk.length < limit) return;
    if (newestFirst) [until] = last;
    else from = last[0] + 1n;
  }
}

/** So many of an author's statuses, newest first, those before an id where one is given. */
export function newestOf(reader: Reader, authorId: Id, limit: number, before: Id | undefined): AuthorStatus[] {
  return read(reader, authorId, { until: before, reverse: true, limit });
}

function read(reader: Reader, authorId: Id, range: RangeQuery): AuthorStatus[] {
  return Array.from(reader.range(statusesOfAccount, [authorId], range), ({ key, value }) => [key[1], value]);
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
  if (facts.accountId === viewerId) return isInHomes(facts);
  const follow = reader.get(following, [viewerId, facts.accountId]);
  if (follow?.state !== 'accepted') return false;
  return belongsInHome(
    facts,
    viewerId,
    follow,
    (other) => reader.get(following, [viewerId, other])?.state === 'accepted',
  );
}
