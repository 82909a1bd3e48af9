/** Which accounts that the viewer follows also follow a given account. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { profiles } from '../profile/profile.state.ts';
import { relationshipLimits } from './limits.ts';
import { followers, followersByTime, followingByTime } from './relationships.state.ts';

/** Whom the viewer follows, newest first, up to a bound. */
export function followedLately(reader: Reader, viewerId: Id): ReadonlySet<Id> {
  const { followsComparedMax: limit } = relationshipLimits;
  const followed = new Set<Id>();
  for (const { value } of reader.range(followingByTime, [viewerId], { reverse: true, limit })) followed.add(value.id);
  return followed;
}

/**
 * Undefined for an account that does not exist. The shorter of the two lists is scanned, newest first, up to a bound.
 * Accounts that hide whom they follow, and who follows them, have none and are none.
 */
export function familiarFollowers(
  reader: Reader,
  viewerId: Id,
  accountId: Id,
  followed: ReadonlySet<Id>,
): readonly Id[] | undefined {
  const profile = reader.get(profiles, [accountId]);
  if (profile === undefined) return undefined;
  const isHidden = profile.hideCollections || profile.suspendedAt !== undefined;
  return isHidden ? [] : familiarWith(reader, viewerId, accountId, followed);
}

function familiarWith(reader: Reader, viewerId: Id, accountId: Id, followed: ReadonlySet<Id>): readonly Id[] {
  const { familiarFollowersMax, followsComparedMax } = relationshipLimits;
  const ids: Id[] = [];
  const walk = { reverse: true, limit: Math.min(followed.size, followsComparedMax) + 1 };
  const latest = Array.from(reader.range(followersByTime, [accountId], walk), ({ value }) => value.id);
  const candidates = latest.length <= followed.size ? latest.filter((id) => followed.has(id)) : followed;
  for (const id of candidates) {
    if (ids.length === familiarFollowersMax) break;
    if (id === viewerId || reader.get(followers, [accountId, id]) === undefined) continue;
    if (reader.get(profiles, [id])?.hideCollections !== true) ids.push(id);
  }
  return ids;
}
