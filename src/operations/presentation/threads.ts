/** The thread around a status: its ancestors and descendants, regardless of visibility. */

import type { RepliesQuery } from '../../actors/account/statuses/threads.queries.ts';
import { readingLimits } from '../../actors/limits.ts';
import type { Id } from '../../runtime/ids.ts';
import { presentationLimits } from './limits.ts';
import { Slice, type SliceMeter } from './slice.ts';

/** What walking through a thread needs. */
export interface ThreadSource<Status extends ThreadStatus> extends SliceMeter {
  status(statusId: Id): Status | undefined;
  /** Ids of the replies to a status, oldest first. */
  repliesTo(status: Status, query: RepliesQuery): readonly Id[];
  /** Caches the complete list of replies. */
  keepReplies(status: Status, replies: readonly Id[]): void;
  /** The descendants of a status, if they were walked before and nothing has changed; in slices. */
  walked(status: Status, slice: Slice): Generator<undefined, readonly Status[] | undefined>;
  keepWalked(status: Status, descendants: readonly Status[]): void;
  /** The walks through the descendants of statuses that are under way, by the id of the status. */
  readonly underWay: Map<Id, Walk>;
}

/** A walk under way. */
export interface Walk {
  /** How many slices it has had. */
  slices: number;
  isOver: boolean;
}

interface ThreadStatus {
  readonly id: Id;
  readonly inReplyToId: Id | undefined;
  /** Whether its author answers himself. */
  readonly isOwnReply: boolean;
  /** Where they were looked up before. */
  readonly replies: readonly Id[] | undefined;
}

export interface Thread<Status> {
  /** From the root down. */
  readonly ancestors: readonly Status[];
  /** Replies of authors to themselves, then the others; each depth first, those to one status by time. */
  readonly descendants: readonly Status[];
}

const { ancestorsMax, descendantsMax } = readingLimits;
/** How often one waits for another: what it has found may have changed meanwhile. */
const sharedWalksMax = 3;

/**
 * Walks in slices: the generator yields where other work may run, and returns the thread. The descendants of a deleted
 * status are left out with it; visibility of the others is decided when they are presented.
 */
export function* walkThread<Status extends ThreadStatus>(
  source: ThreadSource<Status>,
  status: Status,
): Generator<undefined, Thread<Status>> {
  const slice = new Slice(source);
  const ancestors = yield* ancestorsOf(source, status, slice);
  return { ancestors, descendants: yield* sharedDescendants(source, status, slice) };
}

/** Whoever else reads the thread at the same time waits for the first, and takes over what it has found. */
function* sharedDescendants<Status extends ThreadStatus>(
  source: ThreadSource<Status>,
  status: Status,
  slice: Slice,
): Generator<undefined, readonly Status[]> {
  const { underWay } = source;
  for (let times = 0; times < sharedWalksMax; times += 1) {
    const known = yield* source.walked(status, slice);
    if (known !== undefined) return known;
    const other = underWay.get(status.id);
    if (other === undefined || !(yield* endOf(other, slice))) break;
  }
  const own: Walk = { slices: 0, isOver: false };
  underWay.set(status.id, own);
  try {
    return yield* counted(own, descendantsOf(source, status, slice));
  } finally {
    own.isOver = true;
    if (underWay.get(status.id) === own) underWay.delete(status.id);
  }
}

/** False where the other does not go on while this one pauses: it would never end. */
function* endOf(other: Walk, slice: Slice): Generator<undefined, boolean> {
  while (!other.isOver) {
    const before = other.slices;
    yield;
    slice.begin();
    if (!other.isOver && other.slices === before) return false;
  }
  return true;
}

function* counted<Result>(walk: Walk, steps: Generator<undefined, Result>): Generator<undefined, Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    walk.slices += 1;
    yield;
  }
}

function* ancestorsOf<Status extends ThreadStatus>(
  source: ThreadSource<Status>,
  status: Status,
  slice: Slice,
): Generator<undefined, Status[]> {
  const found: Status[] = [];
  const seen = new Set<Status>([status]);
  let parentId = status.inReplyToId;
  // A remote status may name any parent, so cycles are possible.
  while (parentId !== undefined && seen.size <= ancestorsMax) {
    const parent: Status | undefined = source.status(parentId);
    if (parent === undefined || seen.has(parent)) break;
    seen.add(parent);
    found.push(parent);
    parentId = parent.inReplyToId;
    if (!slice.isOver()) continue;
    yield;
    slice.begin();
  }
  return found.reverse();
}

function* descendantsOf<Status extends ThreadStatus>(
  source: ThreadSource<Status>,
  status: Status,
  slice: Slice,
): Generator<undefined, readonly Status[]> {
  const found: Status[] = [];
  const seen = new Set<Status>([status]);
  // The next one is last.
  const open = (status.replies ?? (yield* readReplies(source, status, slice))).toReversed();
  let isWhole = true;
  for (let id = open.pop(); id !== undefined && seen.size <= descendantsMax; id = open.pop()) {
    const reply: Status | undefined = source.status(id);
    if (reply === undefined) isWhole = false;
    if (reply === undefined || seen.has(reply)) continue;
    seen.add(reply);
    found.push(reply);
    const replies: readonly Id[] = reply.replies ?? (yield* readReplies(source, reply, slice));
    for (let index = replies.length - 1; index >= 0; index -= 1) open.push(replies[index]!);
    if (!slice.isOver()) continue;
    yield;
    slice.begin();
  }
  const ordered = ownRepliesFirst(found);
  // A missing one may be there the next time: no event of it concerns another status.
  if (isWhole) source.keepWalked(status, ordered);
  return ordered;
}

/** What somebody wrote in several posts is read without the answers of others in between (behaviour of the Mastodon API). */
function ownRepliesFirst<Status extends ThreadStatus>(descendants: readonly Status[]): readonly Status[] {
  if (!descendants.some(({ isOwnReply }) => isOwnReply)) return descendants;
  const others = descendants.filter(({ isOwnReply }) => !isOwnReply);
  return [...descendants.filter(({ isOwnReply }) => isOwnReply), ...others];
}

/** A status may have thousands of replies: they are listed in parts. */
function* readReplies<Status extends ThreadStatus>(
  source: ThreadSource<Status>,
  status: Status,
  slice: Slice,
): Generator<undefined, readonly Id[]> {
  const { statusesPerSlice: limit } = presentationLimits;
  const found: Id[] = [];
  for (let isMore = true; isMore; ) {
    const part = source.repliesTo(status, { after: found.at(-1), limit });
    for (const id of part) found.push(id);
    isMore = part.length === limit && found.length < descendantsMax;
    if (!isMore || !slice.isOver(part.length)) continue;
    yield;
    slice.begin();
  }
  source.keepReplies(status, found);
  return found;
}
