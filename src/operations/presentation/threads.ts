/** The thread around a status: what it answers, and what answers it, whoever may see it. */

import { readingLimits } from '../../actors/limits.ts';
import type { Id } from '../../runtime/ids.ts';
import { type ReadCounter, Slice } from './slice.ts';

/** What the way through a thread asks of the presenter. */
export interface ThreadSource<Status extends ThreadStatus> extends ReadCounter {
  status(statusId: Id): Status | undefined;
  repliesTo(status: Status): readonly Id[];
}

interface ThreadStatus {
  readonly id: Id;
  readonly inReplyToId: Id | undefined;
}

export interface Thread<Status> {
  /** From the root down. */
  readonly ancestors: readonly Status[];
  /** Depth first, replies to one status in the order of their time. */
  readonly descendants: readonly Status[];
}

const { ancestorsMax, descendantsMax } = readingLimits;

/**
 * Walks in slices: the generator yields where others may work, and returns the thread. What hangs on a status that is gone
 * is left out with it; who sees which of the others is decided when they are presented.
 */
export function* walkThread<Status extends ThreadStatus>(
  source: ThreadSource<Status>,
  status: Status,
): Generator<undefined, Thread<Status>> {
  const slice = new Slice(source);
  const ancestors = yield* ancestorsOf(source, status, slice);
  const descendants = yield* descendantsOf(source, status, slice);
  return { ancestors, descendants };
}

function* ancestorsOf<Status extends ThreadStatus>(
  source: ThreadSource<Status>,
  status: Status,
  slice: Slice,
): Generator<undefined, Status[]> {
  const found: Status[] = [];
  const seen = new Set<Status>([status]);
  let parentId = status.inReplyToId;
  // A status from elsewhere may claim any parent, so a circle is possible.
  while (parentId !== undefined && seen.size <= ancestorsMax) {
    const parent: Status | undefined = source.status(parentId);
    if (parent === undefined || seen.has(parent)) break;
    seen.add(parent);
    found.push(parent);
    parentId = parent.inReplyToId;
    if (slice.isOver()) yield;
  }
  return found.reverse();
}

function* descendantsOf<Status extends ThreadStatus>(
  source: ThreadSource<Status>,
  status: Status,
  slice: Slice,
): Generator<undefined, Status[]> {
  const found: Status[] = [];
  const seen = new Set<Status>([status]);
  // The next one is last.
  const open = source.repliesTo(status).toReversed();
  for (let id = open.pop(); id !== undefined && seen.size <= descendantsMax; id = open.pop()) {
    const reply: Status | undefined = source.status(id);
    if (reply === undefined || seen.has(reply)) continue;
    seen.add(reply);
    found.push(reply);
    const replies = source.repliesTo(reply);
    for (let index = replies.length - 1; index >= 0; index -= 1) open.push(replies[index]!);
    if (slice.isOver()) yield;
  }
  return found;
}
