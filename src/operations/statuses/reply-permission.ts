/** Whether an account may reply to a status by the policy of its author, as far as that is known here. */

import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import type { StatusView } from '../../actors/account/status-views.queries.ts';
import type { PublishStatus } from '../../actors/account/statuses/statuses.messages.ts';
import type { Permission } from '../../actors/policy/approval.ts';
import { alwaysMayReply, replyPermission } from '../../actors/policy/replies.ts';
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

/**
 * What a reply needs before others see it. A local author decides about those whom the policy does not let reply at once; a
 * remote one is asked about everybody else than all, because third servers see neither who follows whom nor what it says.
 */
export function consentToReply(
  services: Pick<Services, 'snapshots' | 'now'>,
  parent: StatusView,
  accountId: Id,
): Pick<PublishStatus, 'asksToReply' | 'needsConsent'> {
  const { status, author } = parent;
  const { replyApproval } = status;
  if (replyApproval === undefined || alwaysMayReply(status, accountId)) return {};
  const destination = destinationOf(author.profile);
  if (destination !== undefined) {
    const { byCreate } = replyApproval;
    return { asksToReply: { to: { destination, uri: status.uri!, ...(byCreate && { byCreate }) } } };
  }
  const isAutomatic = permissionToReply(services, parent, accountId) === 'automatic';
  return { needsConsent: true, ...(isAutomatic ? {} : { asksToReply: {} }) };
}
