/** Reads whom an account may want to follow (specification 4.7). Exclusions apply at the time of reading. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Viewer } from '../../policy/visibility.ts';
import { type AccountView, findPublicAccount } from '../profile/profiles.queries.ts';
import { following } from '../relationships/relationships.state.ts';
import { suggestionLimits } from './limits.ts';
import { scoreOf } from './suggestions.records.ts';
import { suggestions } from './suggestions.state.ts';

/** Recently active accounts first, then by weight of interactions. Examines at most 80 accounts. */
export function suggestedAccounts(
  reader: Reader,
  accountId: Id,
  viewer: Viewer,
  now: number,
  limit: number,
): AccountView[] {
  const found: { account: AccountView; isRecent: boolean; score: number }[] = [];
  for (const { key, value } of reader.range(suggestions, [accountId])) {
    const score = scoreOf(value, now);
    const account = value.dismissed || score === 0 ? undefined : suggestible(reader, accountId, key[1], viewer);
    if (account !== undefined) found.push({ account, isRecent: isRecent(account, now), score });
  }
  found.sort((one, other) => Number(other.isRecent) - Number(one.isRecent) || other.score - one.score);
  return found.slice(0, limit).map(({ account }) => account);
}

function suggestible(reader: Reader, accountId: Id, targetId: Id, viewer: Viewer): AccountView | undefined {
  // Followed or requested.
  if (reader.get(following, [accountId, targetId]) !== undefined) return undefined;
  if (viewer.blocks(targetId) || viewer.mutes(targetId)) return undefined;
  const account = findPublicAccount(reader, targetId);
  if (account === undefined || viewer.hidesDomain(account.profile.domain)) return undefined;
  const { suspendedAt, movedTo, locked, limited } = account.profile;
  return suspendedAt !== undefined || movedTo !== undefined || locked || limited ? undefined : account;
}

/** A remote profile has no time of its last change: the time stored is that of the last fetch. */
function isRecent({ profile, counters }: AccountView, now: number): boolean {
  const changedAt = profile.remote === undefined ? profile.updatedAt : 0;
  return Math.max(changedAt, counters.lastStatusAt ?? 0) > now - suggestionLimits.recentMilliseconds;
}
