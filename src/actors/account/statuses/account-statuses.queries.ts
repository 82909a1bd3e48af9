/** The statuses of one account, as its profile shows them to a viewer (behaviour of the Mastodon API). */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import type { Viewer } from '../../policy/visibility.ts';
import { findVisibleStatus, type StatusView } from './statuses.queries.ts';
import type { StatusSummary } from './statuses.records.ts';
import { statusesOfAccount } from './statuses.state.ts';

export interface AccountStatusChoice {
  /** Replies to oneself stay. */
  readonly excludeReplies: boolean;
  readonly excludeReblogs: boolean;
  readonly onlyMedia: boolean;
  /** The normalised name of a tag. */
  readonly tagged?: string | undefined;
}

export function statusesByAccount(
  reader: Reader,
  accountId: Id,
  choice: AccountStatusChoice,
  viewer: Viewer,
  bounds: PageBounds,
): Page<StatusView> {
  return takePage(
    reader.range(statusesOfAccount, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ key, value }) => {
      if (!isChosen(value, accountId, choice) || isHidden(value, viewer)) return undefined;
      const view = findVisibleStatus(reader, key[1], viewer);
      return view !== undefined && hasTag(view, choice.tagged) ? view : undefined;
    },
  );
}

function isChosen(summary: StatusSummary, accountId: Id, choice: AccountStatusChoice): boolean {
  const { reblogOfId, inReplyToAccountId } = summary;
  if (reblogOfId !== undefined) return !(choice.excludeReblogs || choice.onlyMedia || choice.tagged !== undefined);
  if (choice.onlyMedia && !summary.hasMedia) return false;
  return !choice.excludeReplies || inReplyToAccountId === undefined || inReplyToAccountId === accountId;
}

/** Nobody without an account sees what is not public: that is known before the status is read. */
function isHidden(summary: StatusSummary, viewer: Viewer): boolean {
  return viewer.accountId === undefined && summary.visibility !== 'public' && summary.visibility !== 'unlisted';
}

function hasTag(view: StatusView, tag: string | undefined): boolean {
  return tag === undefined || view.status.tags.some(({ name }) => name === tag);
}
