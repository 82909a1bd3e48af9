/** Who may quote a status (FEP-044f; behaviour of the Mastodon API). Pure; whether it is seen at all is decided before. */
import type { Visibility } from '../account/account.records.ts';
import type { Approver, QuoteApproval, QuotePolicy } from '../account/quotes/quotes.records.ts';
import type { Status } from '../account/statuses/statuses.records.ts';
import { isForEverybody } from './visibility.ts';

/** `unknown`: the policy of another server says something that is not understood here; its author may be asked. */
export type QuotePermission = 'automatic' | 'manual' | 'denied' | 'unknown';

export interface QuotableStatus {
  readonly accountId: bigint;
  readonly visibility: Visibility;
  readonly reblogOfId?: bigint | undefined;
  readonly quoteApproval?: QuoteApproval | undefined;
}

/** Asked lazily: most policies are for everybody or for nobody. */
export interface Quoter {
  /** Undefined for a request without a user. */
  readonly accountId: bigint | undefined;
  follows(accountId: bigint): boolean;
  isFollowedBy(accountId: bigint): boolean;
}

/** Of a status that may be quoted by nobody but its author, who always may. */
export const authorsOnly: QuoteApproval = { automatic: [], manual: [] };

export function quotePermission(status: QuotableStatus, quoter: Quoter): QuotePermission {
  const { accountId, visibility, reblogOfId, quoteApproval = authorsOnly } = status;
  if (quoter.accountId === undefined || visibility === 'direct' || reblogOfId !== undefined) return 'denied';
  if (quoter.accountId === accountId) return 'automatic';
  if (!isForEverybody(status)) return 'denied';
  const isAmong = (list: readonly Approver[]) => list.some((approver) => matches(approver, accountId, quoter));
  if (isAmong(quoteApproval.automatic)) return 'automatic';
  if (isAmong(quoteApproval.manual)) return 'manual';
  const isUnclear = [quoteApproval.automatic, quoteApproval.manual].some((list) => list.includes('unsupported_policy'));
  return isUnclear ? 'unknown' : 'denied';
}

function matches(approver: Approver, authorId: bigint, quoter: Quoter): boolean {
  switch (approver) {
    case 'public':
      return true;
    case 'followers':
      return quoter.follows(authorId);
    case 'following':
      return quoter.isFollowedBy(authorId);
    case 'unsupported_policy':
      return false;
  }
}

/** Whether it shows a quote by leave of another server that was not verified since then. */
export function isVerifiable(status: Pick<Status, 'quote' | 'createdAt'>, since: number): boolean {
  const { quote, createdAt } = status;
  return (
    quote?.state === 'accepted' && quote.authorizationUri !== undefined && (quote.verifiedAt ?? createdAt) <= since
  );
}

/** What is kept of the choice of a local author; undefined for nobody, and for what not everybody may read. */
export function quoteApprovalOf(policy: QuotePolicy, visibility: Visibility): QuoteApproval | undefined {
  return policy === 'nobody' || !isForEverybody({ visibility }) ? undefined : { automatic: [policy], manual: [] };
}
