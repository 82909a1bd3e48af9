/** Whether an account of another server may reply to a status, as far as that is known here. */
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Permission } from '../../actors/policy/approval.ts';
import { alwaysMayReply, replyPermission } from '../../actors/policy/replies.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Inbound, ResolvedStatus } from './inbound.ts';

/**
 * A local author's policy is known as a whole. Whom a remote one follows, and who follows it, its own server knows: unless
 * everybody may, or the replier is named, it takes a proof (received-consent.ts).
 */
export function permissionToReply(
  { snapshots, now }: Inbound,
  repliesAs: Id,
  parent: ResolvedStatus,
  { replyAuthorization }: { readonly replyAuthorization?: string | undefined } = {},
): Permission {
  const status = findStatusRecord(snapshots, parent.statusId);
  if (status?.replyApproval === undefined) return 'automatic';
  if (!parent.isLocal)
    return replyAuthorization !== undefined || alwaysMayReply(status, repliesAs) ? 'automatic' : 'denied';
  return replyPermission(status, {
    accountId: repliesAs,
    follows: (authorId) => viewerOf(snapshots, repliesAs, now()).follows(authorId),
    isFollowedBy: (authorId) => viewerOf(snapshots, authorId, now()).follows(repliesAs),
  });
}
