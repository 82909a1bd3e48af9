/**
 * A quote as a viewer sees it: the quoted author's decision first, then whether the viewer may see the quoted status,
 * which is decided for every viewer (behaviour of the Mastodon API). And whether the viewer may quote a status.
 */
import type { Approval } from '../../actors/account/account.records.ts';
import type { Quote, StoredQuoteState } from '../../actors/account/quotes/quotes.records.ts';
import { hasBlocked } from '../../actors/account/relationships/relationships.queries.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { authorsOnly, type QuotePermission, type Quoter, quotePermission } from '../../actors/policy/quotes.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';

export const quoteStates = [
  ...(['pending', 'accepted', 'rejected', 'revoked', 'deleted'] as const satisfies readonly StoredQuoteState[]),
  ...(['unauthorized', 'blocked_account', 'blocked_domain', 'muted_account'] as const),
] as const;
export type QuoteState = (typeof quoteStates)[number];

/** `status` is absent wherever the viewer must not see it. */
export interface ShownQuote<Shown> {
  readonly state: QuoteState;
  readonly statusId?: Id;
  readonly status?: Shown;
  /** Inside a quote: only the id is shown. */
  readonly isShallow?: true;
}

/**
 * A quote in an older property counts only when the quoted author has agreed; otherwise the text links to the status.
 */
export function quoteOf({ quote }: Pick<Status, 'quote'>): Quote | undefined {
  return quote?.isLegacy === true && quote.state !== 'accepted' ? undefined : quote;
}

interface Found<Shown> {
  readonly status: Shown;
  /** Of the author; undefined for a local one. */
  readonly domain: string | undefined;
}

/** `show` maps the quoted status to what the viewer sees; undefined where it is hidden or deleted. */
export function showQuote<Shown>(
  reader: Reader,
  { state, statusId, accountId }: Quote,
  viewer: Viewer,
  show: (statusId: Id) => Found<Shown> | undefined,
): ShownQuote<Shown> {
  if (state !== 'accepted') return { state };
  const found = show(statusId);
  if (found === undefined) return { state: hiddenState(reader, statusId, accountId, viewer) };
  const { status, domain } = found;
  if (viewer.hidesDomain(domain)) return { state: 'blocked_domain', statusId, status };
  return { state: viewer.mutes(accountId) ? 'muted_account' : 'accepted', statusId, status };
}

/** Does not reveal that the quoted author blocks the viewer. */
function hiddenState(reader: Reader, statusId: Id, accountId: Id, { accountId: viewerId }: Viewer): QuoteState {
  if (findStatusRecord(reader, statusId) === undefined) return 'deleted';
  const isBlocked = viewerId !== undefined && hasBlocked(reader, viewerId, accountId);
  return isBlocked ? 'blocked_account' : 'unauthorized';
}

/** Who may quote a status, as far as that is the same for many viewers. */
export interface Quotability {
  readonly approval: Approval;
  /** For a signed-in viewer without a relationship to the author; and for the author. */
  readonly stranger: QuotePermission;
  readonly author: QuotePermission;
  /** Whether it depends on a follow. */
  readonly asksForFollow: boolean;
}

const byEverybody: Quotability = judged({ approval: { automatic: ['public'], manual: [] }, stranger: 'automatic' });
const byAuthor: Quotability = judged({ approval: authorsOnly, stranger: 'denied' });
const byNobody: Quotability = { ...byAuthor, author: 'denied' };

function judged(by: Pick<Quotability, 'approval' | 'stranger'>, asksForFollow = false): Quotability {
  return { ...by, author: 'automatic', asksForFollow };
}

/** Shared by all statuses with common policies. */
export function quotabilityOf(status: Status): Quotability {
  const { visibility, reblogOfId, localOnly, quoteApproval: approval } = status;
  if (visibility === 'direct' || reblogOfId !== undefined) return byNobody;
  if (approval === undefined || visibility === 'private' || localOnly === true) return byAuthor;
  const { automatic, manual } = approval;
  if (automatic.length === 1 && automatic[0] === 'public' && manual.length === 0) return byEverybody;
  const asksForFollow = [...automatic, ...manual].some((one) => one === 'followers' || one === 'following');
  return judged({ approval, stranger: quotePermission(status, stranger) }, asksForFollow);
}

/** No account has this id. */
const stranger: Quoter = { accountId: 0n, follows: () => false, isFollowedBy: () => false };

/** Whether the viewer may quote; undefined for one who is not signed in. */
export function permissionFor(
  quotability: Quotability,
  status: Pick<Status, 'accountId' | 'visibility'>,
  viewer: Quoter | undefined,
): QuotePermission {
  if (viewer === undefined) return 'denied';
  if (viewer.accountId === status.accountId) return quotability.author;
  if (!quotability.asksForFollow) return quotability.stranger;
  return quotePermission({ ...status, quoteApproval: quotability.approval }, viewer);
}
