/** Which accounts that the viewer follows also follow a given account. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { profiles } from '../profile/profile.state.ts';
import { type AccountView, findAccount } from '../statuses/statuses.queries.ts';
import { relationshipLimits } from './limits.ts';
import { followers, followersByTime, followingByTime } from './relationships.state.ts';

export interface FamiliarFollowers {
  readonly accountId: Id;
  readonly accounts: readonly AccountView[];
}

/**
 * For each existing account. The shorter of the two lists is scanned, newest first, up to a bound. Accounts that hide
 * their followers have none.
 */
export function* familiarFollowers(
  reader: Reader,
  viewerId: Id,
  accountIds: readonly Id[],
): Generator<undefined, FamiliarFollowers[], undefined> {
  const { followsComparedMax: limit } = relationshipLimits;
  const followed = new Set<Id>();
  for (const { value } of reader.range(followingByTime, [viewerId], { reverse: true, limit })) followed.add(value.id);
  const found: FamiliarFollowers[] = [];
  for (const accountId of accountIds) {
    yield;
    const profile = reader.get(profiles, [accountId]);
    if (profile === undefined) continue;
    const isHidden = profile.hideCollections || profile.suspendedAt !== undefined;
    found.push({ accountId, accounts: isHidden ? [] : familiarWith(reader, viewerId, accountId, followed) });
  }
  return found;
}

function familiarWith(reader: Reader, viewerId: Id, accountId: Id, followed: ReadonlySet<Id>): AccountView[] {
  const { familiarFollowersMax, followsComparedMax } = relationshipLimits;
  const ids: Id[] = [];
  const walk = { reverse: true, limit: Math.min(followed.size, followsComparedMax) + 1 };
  const latest = Array.from(reader.range(followersByTime, [accountId], walk), ({ value }) => value.id);
  const candidates = latest.length <= followed.size ? latest.filter((id) => followed.has(id)) : followed;
  for (const id of candidates) {
    if (ids.length === familiarFollowersMax) break;
    if (id !== viewerId && reader.get(followers, [accountId, id]) !== undefined) ids.push(id);
  }
  return ids.flatMap((id) => {
    const account = findAccount(reader, id);
    return account === undefined || account.profile.suspendedAt !== undefined ? [] : [account];
  });
}
