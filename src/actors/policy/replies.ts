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
  const { accountId, replyApproval } = status;
  if (replier.accountId === undefined) return 'denied';
  if (replyApproval === undefined || alwaysMayReply(status, replier.accountId)) return 'automatic';
  return permissionBy(replyApproval, accountId, replier);
}

/** Whoever is named need not be asked about, nor ask. */
export function alwaysMayReply(
  { accountId, mentions, inReplyToAccountId }: RepliableStatus,
  replierId: bigint,
): boolean {
  return replierId === accountId || replierId === inReplyToAccountId || mentions.some(({ id }) => id === replierId);
}

/**
 * Whether a reply by somebody of a third server counts without a proof. Who is among the followers of a remote author, or
 * followed by it, is known to its server alone, and servers that do not know these rules carry no proofs: where either may
 * reply at once, the replier is believed to be one.
 */
export function mayReplyUnproved(status: RepliableStatus, replierId: bigint): boolean {
  const { replyApproval } = status;
  if (replyApproval === undefined || alwaysMayReply(status, replierId)) return true;
  return replyApproval.automatic.some((one) => one === 'followers' || one === 'following');
}

/** The stored approval for the choice of a local author; undefined for everybody who may read the status. */
export function replyApprovalOf(policy: ReplyPolicy, visibility: Visibility): Approval | undefined {
  return policy === 'public' || visibility === 'direct' ? undefined : approvals[policy];
}

const approvals: Readonly<Record<Exclude<ReplyPolicy, 'public'>, Approval>> = {
  followers: { automatic: ['followers'], manual: [] },
  following: { automatic: ['following'], manual: [] },
  mentioned: { automatic: [], manual: [] },
  followers_or_approved: { automatic: ['followers'], manual: ['public'] },
  following_or_approved: { automatic: ['following'], manual: ['public'] },
  approved: { automatic: [], manual: ['public'] },
};

/** The choice that a stored approval comes from. */
export function replyPolicyIn(approval: Approval | undefined): ReplyPolicy {
  if (approval === undefined) return 'public';
  const found = (['followers', 'following'] as const).find((one) => approval.automatic.includes(one));
  if (approval.manual.length === 0) return found ?? 'mentioned';
  return found === undefined ? 'approved' : `${found}_or_approved`;
}
