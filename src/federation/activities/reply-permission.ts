/** Whether an account of another server may reply to a status, as far as that is known here. */
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { replyPermission } from '../../actors/policy/replies.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Inbound, ResolvedStatus } from './inbound.ts';

/**
 * A local author's policy is known as a whole. Whom a remote one follows, and who follows it, its own server knows: only
 * what no follow could allow is refused.
 */
export function mayReply({ snapshots, now }: Inbound, repliesAs: Id, parent: ResolvedStatus): boolean {
  const status = findStatusRecord(snapshots, parent.statusId);
  if (status?.replyApproval === undefined) return true;
  const permission = replyPermission(status, {
    accountId: repliesAs,
    follows: (authorId) => !parent.isLocal || viewerOf(snapshots, repliesAs, now()).follows(authorId),
    isFollowedBy: (authorId) => !parent.isLocal || viewerOf(snapshots, authorId, now()).follows(repliesAs),
  });
  return parent.isLocal ? permission === 'automatic' : permission !== 'denied';
}
