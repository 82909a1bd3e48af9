/** The thread around a status: what it answers, and what answers it. */
import type { Id } from '../../../runtime/ids.ts';
import { readingLimits } from '../../../runtime/limits.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { maySee, type Viewer } from '../../policy/visibility.ts';
import { findStatus, type StatusView } from './statuses.queries.ts';
import type { Status } from './statuses.records.ts';
import { replies } from './statuses.state.ts';

export interface Thread {
  /** From the root down. */
  readonly ancestors: StatusView[];
  /** Depth first, replies to one status in the order of their time. */
  readonly descendants: StatusView[];
}

const { ancestorsMax, descendantsMax, sliceStatuses } = readingLimits;

/**
 * Reads a thread in slices: the generator yields where the caller may let others work, and returns the thread. Statuses
 * that the viewer may not see are left out; what hangs on them is not.
 */
export function* readThread(reader: Reader, status: Status, viewer: Viewer): Generator<undefined, Thread> {
  const ancestors = yield* readAncestors(reader, status, viewer);
  const descendants = yield* readDescendants(reader, status.id, viewer);
  return { ancestors, descendants };
}

function* readAncestors(reader: Reader, status: Status, viewer: Viewer): Generator<undefined, StatusView[]> {
  const shown: StatusView[] = [];
  const seen = new Set([status.id]);
  let parentId = status.inReplyToId;
  // A status from elsewhere may claim any parent, so a circle is possible.
  while (parentId !== undefined && !seen.has(parentId) && seen.size <= ancestorsMax) {
    seen.add(parentId);
    const view = findStatus(reader, parentId);
    if (view === undefined) break;
    if (isShown(view, viewer)) shown.push(view);
    parentId = view.status.inReplyToId;
    if (seen.size % sliceStatuses === 0) yield;
  }
  return shown.reverse();
}

function* readDescendants(reader: Reader, statusId: Id, viewer: Viewer): Generator<undefined, StatusView[]> {
  const shown: StatusView[] = [];
  const seen = new Set([statusId]);
  const open = repliesTo(reader, statusId).reverse();
  for (let id = open.pop(); id !== undefined && seen.size <= descendantsMax; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const view = findStatus(reader, id);
    if (view === undefined) continue;
    if (isShown(view, viewer)) shown.push(view);
    open.push(...repliesTo(reader, id).reverse());
    if (seen.size % sliceStatuses === 0) yield;
  }
  return shown;
}

/** The statuses that answer one, the oldest first. */
export function repliesTo(reader: Reader, statusId: Id): Id[] {
  const range = reader.range(replies, [statusId], { limit: descendantsMax });
  return Array.from(range, ({ key }) => key[1]);
}

function isShown(view: StatusView, viewer: Viewer): boolean {
  const { accountId } = view.status;
  if (!maySee(view.status, viewer)) return false;
  return !view.author.profile.limited || accountId === viewer.accountId || viewer.follows(accountId);
}
