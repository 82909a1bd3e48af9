/** Who may quote a status (FEP-044f; behaviour of the Mastodon API). Pure; visibility is checked before. */
import type { Approval, Visibility } from '../account/account.records.ts';
import type { Quote, QuotePolicy } from '../account/quotes/quotes.records.ts';
import { type Asker, type Permission, permissionBy } from './approval.ts';
import { isForEverybody } from './visibility.ts';

export type QuotePermission = Permission;

export interface QuotableStatus {
  readonly accountId: bigint;
  readonly visibility: Visibility;
  readonly reblogOfId?: bigint | undefined;
  readonly quoteApproval?: Approval | undefined;
}

export type Quoter = Asker;

/** Nobody but the author, who always may. */
export const authorsOnly: Approval = { automatic: [], manual: [] };

export function quotePermission(status: QuotableStatus, quoter: Quoter): QuotePermission {
  const { accountId, visibility, reblogOfId, quoteApproval = authorsOnly } = status;
  if (quoter.accountId === undefined || visibility === 'direct' || reblogOfId !== undefined) return 'denied';
  if (quoter.accountId !== accountId && !isForEverybody(status)) return 'denied';
  return permissionBy(quoteApproval, accountId, quoter);
}

interface QuotingStatus {
  readonly quote?: Quote | undefined;
  readonly createdAt: number;
}

/** Whether it shows a quote authorised by another server that was not verified since this time. */
export function isVerifiable({ quote, createdAt }: QuotingStatus, since: number): boolean {
  return (
    quote?.state === 'accepted' && quote.authorizationUri !== undefined && (quote.verifiedAt ?? createdAt) <= since
  );
}

/**
 * The stored approval for the choice of a local author; undefined for nobody, and for statuses with a limited audience.
 */
export function quoteApprovalOf(policy: QuotePolicy, visibility: Visibility): Approval | undefined {
  return policy === 'nobody' || !isForEverybody({ visibility }) ? undefined : { automatic: [policy], manual: [] };
}
