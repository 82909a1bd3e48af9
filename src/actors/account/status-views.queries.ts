/** Reads statuses with everything that is shown with them. */

import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Page, PageBounds } from '../pages.ts';
import { maySee, type Viewer } from '../policy/visibility.ts';
import type { PollTally } from './polls/polls.records.ts';
import { pollTallies } from './polls/polls.state.ts';
import { type AccountView, findAccount } from './profile/profiles.queries.ts';
import {
  chooseStatuses,
  mediaEntriesOf,
  type StatusesOfAccount,
  statusEntriesOf,
} from './statuses/account-statuses.queries.ts';
import { shownCountersOf } from './statuses/statuses.queries.ts';
import type { Status, StatusCounters } from './statuses/statuses.records.ts';
import { statuses } from './statuses/statuses.state.ts';

export interface StatusView {
  readonly status: Status;
  /** As they are shown. */
  readonly counters: StatusCounters;
  readonly author: AccountView;
  /** The totals of its poll, if any votes were counted. */
  readonly tally?: PollTally | undefined;
  /** The original, when this is a reblog. */
  readonly reblog: StatusView | undefined;
}

/** A status with its author and, for a reblog, its original; undefined when any of them is gone, or suspended. */
export function findStatus(reader: Reader, statusId: Id): StatusView | undefined {
  const view = findAnybodysStatus(reader, statusId);
  if (view === undefined || view.author.profile.suspendedAt !== undefined) return undefined;
  const { reblogOfId } = view.status;
  if (reblogOfId === undefined) return { ...view, reblog: undefined };
  const reblog = findStatus(reader, reblogOfId);
  return reblog && { ...view, reblog };
}

/** A status with its author, who may be suspended; a reblog without its original. */
export function findAnybodysStatus(reader: Reader, statusId: Id): Omit<StatusView, 'reblog'> | undefined {
  const status = reader.get(statuses, [statusId]);
  const author = status && findAccount(reader, status.accountId);
  if (status === undefined || author === undefined) return undefined;
  const counters = shownCountersOf(reader, statusId);
  if (status.poll === undefined) return { status, counters, author };
  return { status, counters, author, tally: reader.get(pollTallies, [statusId]) };
}

/** A status that the viewer may see; undefined for all others, which hides whether they exist. */
export function findVisibleStatus(reader: Reader, statusId: Id, viewer: Viewer): StatusView | undefined {
  const view = findStatus(reader, statusId);
  if (view === undefined || !maySee(view.status, viewer)) return undefined;
  return view.reblog !== undefined && !maySee(view.reblog.status, viewer) ? undefined : view;
}

/** A page of an account's statuses, each with its author. */
export function statusesByAccount(reader: Reader, wanted: StatusesOfAccount, bounds: PageBounds): Page<StatusView> {
  const { accountId, choice, viewer } = wanted;
  const entries = (choice.onlyMedia ? mediaEntriesOf : statusEntriesOf)(reader, accountId, bounds);
  return chooseStatuses(entries, wanted, bounds, (id) => {
    const view = findVisibleStatus(reader, id, viewer);
    return view !== undefined && hasTag(view, choice.tagged) ? view : undefined;
  });
}

function hasTag(view: StatusView, tag: string | undefined): boolean {
  return tag === undefined || view.status.tags.some(({ name }) => name === tag);
}
