/** Whether an account of another server may reply to a status, as far as that is known here. */
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Permission } from '../../actors/policy/approval.ts';
import { alwaysMayReply, mayReplyUnproved, replyPermission } from '../../actors/policy/replies.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Inbound, ResolvedStatus } from './inbound.ts';

/** What is known of the consent to a reply to a status of another server. */
export interface KnownConsent {
  /** The address of the proof that the reply names. */
  readonly claimed?: string | undefined;
  /** The address of the proof, where it holds (received-consent.ts). */
  readonly proved?: string | undefined;
}

/**
 * A local author's policy is known as a whole. Whom a remote one follows, and who follows it, its own server knows: a proof
 * that is named must hold, and without one the policy must leave it possible.
 */
export function permissionToReply(
  { snapshots, now }: Inbound,
  repliesAs: Id,
  parent: ResolvedStatus,
  { claimed, proved }: KnownConsent = {},
): Permission {
  const status = findStatusRecord(snapshots, parent.statusId);
  if (status?.replyApproval === undefined) return 'automatic';
  if (!parent.isLocal) {
    if (proved !== undefined || alwaysMayReply(status, repliesAs)) return 'automatic';
    return claimed === undefined && mayReplyUnproved(status, repliesAs) ? 'automatic' : 'denied';
  }
  return replyPermission(status, {
    accountId: repliesAs,
    follows: (authorId) => viewerOf(snapshots, repliesAs, now()).follows(authorId),
    isFollowedBy: (authorId) => viewerOf(snapshots, authorId, now()).follows(repliesAs),
  });
}

/** Whether it depends on more than the status itself says: others cannot judge a reply without a proof then. */
export function takesProof(
  { snapshots }: Pick<Inbound, 'snapshots'>,
  repliesAs: Id,
  { statusId }: Pick<ResolvedStatus, 'statusId'>,
): boolean {
  const status = findStatusRecord(snapshots, statusId);
  return status?.replyApproval !== undefined && !alwaysMayReply(status, repliesAs);
}
