/**
 * Who may reply to a status (interaction policies of GoToSocial). Pure; visibility is checked before. Its author, those
 * whom it mentions and the one whom it answers always may: nobody is spoken about without a say.
 */
import type { Approval, Visibility } from '../account/account.records.ts';
import type { ReplyPolicy } from '../account/statuses/reply-policy.records.ts';
import { type Asker, type Permission, permissionBy } from './approval.ts';

export interface RepliableStatus {
  readonly accountId: bigint;
  readonly mentions: readonly { readonly id: bigint }[];
  readonly inReplyToAccountId?: bigint | undefined;
  /** Absent for everybody. */
  readonly replyApproval?: Approval | undefined;
}

export function replyPermission(status: RepliableStatus, replier: Asker): Permission {
  const { accountId, replyApproval, mentions, inReplyToAccountId } = status;
  if (replier.accountId === undefined) return 'denied';
  if (replyApproval === undefined) return 'automatic';
  const isNamed = replier.accountId === inReplyToAccountId || mentions.some(({ id }) => id === replier.accountId);
  return isNamed ? 'automatic' : permissionBy(replyApproval, accountId, replier);
}

/** The stored approval for the choice of a local author; undefined for everybody who may read the status. */
export function replyApprovalOf(policy: ReplyPolicy, visibility: Visibility): Approval | undefined {
  if (policy === 'public' || visibility === 'direct') return undefined;
  return { automatic: policy === 'mentioned' ? [] : [policy], manual: [] };
}

/** The choice that a stored approval comes from. */
export function replyPolicyIn(approval: Approval | undefined): ReplyPolicy {
  if (approval === undefined) return 'public';
  return (['followers', 'following'] as const).find((one) => approval.automatic.includes(one)) ?? 'mentioned';
}
