/** The Relationship entity; its field `following` differs by dialect. */
import { z } from 'zod';
import type { RelationshipView } from '../../actors/account/relationship-views.queries.ts';
import type { Grant } from '../http/grant.ts';
import { flag, id, language, text, time } from './values.ts';

export const RelationshipEntity = z
  .strictObject({
    id,
    /** Specification 2.6: false, or whether reblogs are shown. Dialect `mastodon`: a boolean. */
    following: z.union([flag, z.strictObject({ reblogs: flag })]),
    showing_reblogs: flag,
    notifying: flag,
    languages: z.array(language).readonly().nullable(),
    followed_by: flag,
    blocking: flag,
    blocked_by: flag,
    muting: flag,
    muting_notifications: flag,
    muting_expires_at: time.nullable(),
    requested: flag,
    requested_by: flag,
    domain_blocking: flag,
    endorsed: flag,
    note: text,
  })
  .meta({ id: 'Relationship' });
export type RelationshipEntity = z.output<typeof RelationshipEntity>;

export function relationshipEntity(view: RelationshipView, dialect: Grant['dialect']): RelationshipEntity {
  const { follow, mute } = view;
  const expiresAt = mute?.expiresAt;
  return {
    id: view.accountId.toString(),
    following: followingOf(follow, dialect),
    // Options apply from the request on (specification 4.2).
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
    domain_blocking: view.domainBlocking,
    endorsed: view.endorsed,
    note: view.note,
  };
}

function followingOf(follow: RelationshipView['follow'], dialect: Grant['dialect']): RelationshipEntity['following'] {
  if (follow?.state !== 'accepted') return false;
  return dialect === 'mastodon' ? true : { reblogs: follow.showReblogs };
}
