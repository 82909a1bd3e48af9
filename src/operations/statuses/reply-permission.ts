/** Whether an account may reply to a status by the policy of its author, as far as that is known here. */
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import type { StatusView } from '../../actors/account/status-views.queries.ts';
import type { Permission } from '../../actors/policy/approval.ts';
import { replyPermission } from '../../actors/policy/replies.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

export function permissionToReply(
  { snapshots, now }: Pick<Services, 'snapshots' | 'now'>,
  { status }: Pick<StatusView, 'status'>,
  accountId: Id,
): Permission {
  return replyPermission(status, {
    accountId,
    follows: (authorId) => viewerOf(snapshots, accountId, now()).follows(authorId),
    isFollowedBy: (authorId) => viewerOf(snapshots, authorId, now()).follows(accountId),
  });
}
