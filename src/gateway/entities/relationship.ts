/** The Relationship entity; `following` is the one field that differs by dialect. */
import type { RelationshipView } from '../../actors/account/relationships/relationships.queries.ts';
import type { Grant } from '../http/grant.ts';

export interface RelationshipEntity {
  id: string;
  /** Specification 2.6: false, or whether reblogs are shown. Dialect `mastodon`: a boolean. */
  following: boolean | { reblogs: boolean };
  showing_reblogs: boolean;
  notifying: boolean;
  languages: readonly string[] | null;
  followed_by: boolean;
  blocking: boolean;
  blocked_by: boolean;
  muting: boolean;
  muting_notifications: boolean;
  muting_expires_at: string | null;
  requested: boolean;
  requested_by: boolean;
  domain_blocking: boolean;
  endorsed: boolean;
  note: string;
}

export function relationshipEntity(view: RelationshipView, dialect: Grant['dialect']): RelationshipEntity {
  const { follow, mute } = view;
  const expiresAt = mute?.expiresAt;
  return {
    id: view.accountId.toString(),
    following: followingOf(follow, dialect),
    // Options count from the request on (specification 4.2).
    showing_reblogs: follow?.showReblogs ?? false,
    notifying: follow?.notify ?? false,
    languages: follow?.languages ?? null,
    followed_by: view.followedBy,
    blocking: view.blocking,
    blocked_by: view.blockedBy,
    muting: mute !== undefined,
    muting_notifications: mute?.hideNotifications ?? false,
    muting_expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    requested: follow?.state === 'requested',
    requested_by: view.requestedBy,
    domain_blocking: false,
    endorsed: false,
    note: '',
  };
}

function followingOf(follow: RelationshipView['follow'], dialect: Grant['dialect']): RelationshipEntity['following'] {
  if (follow?.state !== 'accepted') return false;
  return dialect === 'mastodon' ? true : { reblogs: follow.showReblogs };
}
