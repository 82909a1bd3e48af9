/** Reads the statuses of one account, as its profile shows them to a viewer (behaviour of the Mastodon API). */

import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { isForEverybody, repliesToOther, type Viewer } from '../../policy/visibility.ts';
import type { StatusSummary } from './statuses.records.ts';
import { mediaOfAccount, statusesOfAccount } from './statuses.state.ts';

export interface AccountStatusChoice {
  /** Replies to the account itself are kept. */
  readonly excludeReplies: boolean;
  readonly excludeReblogs: boolean;
  readonly excludeDirect?: boolean;
  readonly onlyMedia: boolean;
  /** The normalised name of a tag that the statuses must have. */
  readonly tagged?: string | undefined;
}

export interface AccountStatusEntry {
  readonly id: Id;
  readonly summary: StatusSummary;
}

/** The list of an account's statuses, within the bounds. */
export function* statusEntriesOf(reader: Reader, accountId: Id, bounds: PageBounds): Generator<AccountStatusEntry> {
  for (const { key, value } of reader.range(statusesOfAccount, [accountId], rangeOf(bounds)))
    yield { id: key[1], summary: value };
}

/** Those with media, reblogs left out. */
export function* mediaEntriesOf(reader: Reader, accountId: Id, bounds: PageBounds): Generator<AccountStatusEntry> {
  for (const { key } of reader.range(mediaOfAccount, [accountId], rangeOf(bounds))) {
    const summary = reader.get(statusesOfAccount, [accountId, key[1]]);
    if (summary !== undefined) yield { id: key[1], summary };
  }
}

/** Which statuses of an account, for whom. */
export interface StatusesOfAccount {
  readonly accountId: Id;
  readonly choice: AccountStatusChoice;
  readonly viewer: Viewer;
}

/** A page of the wanted entries; `show` maps each to an item, undefined for one not shown. */
export function chooseStatuses<Item>(
  entries: Iterable<AccountStatusEntry>,
  { accountId, choice, viewer }: StatusesOfAccount,
  bounds: PageBounds,
  show: (id: Id) => Item | undefined,
): Page<Item> {
  return takePage(
    entries,
    bounds,
    ({ id }) => id,
    ({ id, summary }) => (isChosen(summary, accountId, choice) && !isHidden(summary, viewer) ? show(id) : undefined),
  );
}

function isChosen(summary: StatusSummary, accountId: Id, choice: AccountStatusChoice): boolean {
  const { reblogOfId } = summary;
  if (choice.excludeDirect && summary.visibility === 'direct' && summary.limited !== true) return false;
  if (reblogOfId !== undefined) return !(choice.excludeReblogs || choice.onlyMedia || choice.tagged !== undefined);
  return !choice.excludeReplies || !repliesToOther(summary, accountId);
}

/** A viewer without an account sees only what is for everybody: decided before the status is read. */
function isHidden(summary: StatusSummary, viewer: Viewer): boolean {
  return viewer.accountId === undefined && !isForEverybody(summary);
}
