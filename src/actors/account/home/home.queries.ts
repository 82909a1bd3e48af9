/**
 * A home timeline by merging: what a reader does for a home that is not warm, for pages older than a feed ring, and to
 * fill a ring. A warm ring gives the same ids (the simulation compares them).
 */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { readingLimits } from '../../limits.ts';
import { mergeIds, type Order } from '../../merge.ts';
import type { PageBounds } from '../../pages.ts';
import { belongsInHome, type HomeFacts } from '../../policy/home.ts';
import type { Follow } from '../relationships/relationships.records.ts';
import { following } from '../relationships/relationships.state.ts';
import { statusesOfAccount } from '../statuses/statuses.state.ts';

/** Statuses read from one author at first, and at most: a home merges many authors, and most give little (measured). */
const firstChunkEntries = 2;
const chunkEntriesMax = 32;

/**
 * Ids of a home timeline, newest first, in steps: its thread has other things to do as well, and may go on later after
 * each. A home of few authors takes one step.
 */
export function* homeStatusIds(
  reader: Reader,
  viewerId: Id,
  bounds: PageBounds,
): Generator<undefined, Id[], undefined> {
  const order: Order = bounds.minId === undefined ? 'newest first' : 'oldest first';
  const after = bounds.minId ?? bounds.sinceId;
  const follows = yield* acceptedFollows(reader, viewerId);
  const isFollowed = (accountId: Id) => follows.has(accountId);
  const sources = [begun(ownStatuses(reader, viewerId, order, after, bounds.maxId))];
  for (const [authorId, follow] of follows) {
    sources.push(begun(statusesOf(reader, viewerId, authorId, follow, isFollowed, order, after, bounds.maxId)));
    if (sources.length % readingLimits.sliceStatuses === 0) yield;
  }
  const ids: Id[] = [];
  for (const id of mergeIds(sources, order)) {
    ids.push(id);
    if (ids.length === bounds.limit) break;
    if (ids.length % readingLimits.sliceStatuses === 0) yield;
  }
  return order === 'oldest first' ? ids.reverse() : ids;
}

function* acceptedFollows(reader: Reader, viewerId: Id): Generator<undefined, ReadonlyMap<Id, Follow>, undefined> {
  const follows = new Map<Id, Follow>();
  const limit = readingLimits.sliceStatuses;
  let from: Id | undefined;
  for (;;) {
    let read = 0;
    for (const { key, value } of reader.range(following, [viewerId], { from, limit })) {
      read += 1;
      from = key[1] + 1n;
      if (value.state === 'accepted') follows.set(key[1], value);
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

function* ownStatuses(
  reader: Reader,
  viewerId: Id,
  order: Order,
  after: Id | undefined,
  before: Id | undefined,
): Generator<Id> {
  for (const [id] of chunked(reader, viewerId, order, after, before)) yield id;
}

function* statusesOf(
  reader: Reader,
  viewerId: Id,
  authorId: Id,
  follow: Follow,
  isFollowed: (accountId: Id) => boolean,
  order: Order,
  after: Id | undefined,
  before: Id | undefined,
): Generator<Id> {
  for (const [id, summary] of chunked(reader, authorId, order, after, before)) {
    if (belongsInHome({ id, accountId: authorId, ...summary }, viewerId, follow, isFollowed)) yield id;
  }
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

/** Whom an account follows, accepted or not. */
export function* followsOf(reader: Reader, accountId: Id): Generator<readonly [Id, Follow]> {
  for (const { key, value } of reader.range(following, [accountId])) yield [key[1], value];
}

export function followOf(reader: Reader, accountId: Id, targetId: Id): Follow | undefined {
  return reader.get(following, [accountId, targetId]);
}

/** Whether one status belongs in a viewer's home, asked of storage. */
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
