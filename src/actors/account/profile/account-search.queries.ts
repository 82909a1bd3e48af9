/**
 * Searching accounts without an index: whoever the words name exactly, and those whom the searcher follows. Bounded: of
 * many follows only the latest are looked at.
 */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { relationshipLimits } from '../relationships/limits.ts';
import { isBlockedEitherWay } from '../relationships/relationships.queries.ts';
import { followingByTime } from '../relationships/relationships.state.ts';
import type { AccountView } from '../statuses/statuses.queries.ts';
import type { Profile } from './profile.records.ts';
import { findPublicAccount } from './profiles.queries.ts';

export interface AccountSearch {
  readonly searcherId: Id;
  /** As typed, without blanks around. */
  readonly words: string;
  /** Whom the words name exactly, if somebody. */
  readonly exactId: Id | undefined;
  readonly followedOnly: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** The exact one first, then followed accounts, latest first. Suspended and blocked accounts are not found. */
export function searchAccounts(reader: Reader, search: AccountSearch): AccountView[] {
  const { searcherId, exactId, offset, limit } = search;
  const found: AccountView[] = [];
  const exact = exactId === undefined || search.followedOnly ? undefined : findable(reader, searcherId, exactId);
  if (exact !== undefined) found.push(exact);
  const wanted = search.words.replace(/^@/, '').toLowerCase();
  const follows = { reverse: true, limit: relationshipLimits.searchedFollowsMax };
  for (const { value } of reader.range(followingByTime, [searcherId], follows)) {
    if (found.length >= offset + limit) break;
    if (value.id === exact?.profile.id) continue;
    const account = findable(reader, searcherId, value.id);
    if (account !== undefined && matches(account.profile, wanted)) found.push(account);
  }
  return found.slice(offset, offset + limit);
}

function findable(reader: Reader, searcherId: Id, accountId: Id): AccountView | undefined {
  const account = findPublicAccount(reader, accountId);
  if (account === undefined || account.profile.suspendedAt !== undefined) return undefined;
  return isBlockedEitherWay(reader, searcherId, accountId) ? undefined : account;
}

function matches({ username, domain, displayName }: Profile, wanted: string): boolean {
  const handle = domain === undefined ? username : `${username}@${domain}`;
  return handle.toLowerCase().startsWith(wanted) || displayName.toLowerCase().includes(wanted);
}
