/** Reads a local account as its owner sees it. */
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Login } from './profile/profile.records.ts';
import { accountCounters, logins, profiles } from './profile/profile.state.ts';
import { type AccountView, findAccount } from './profile/profiles.queries.ts';
import { relationshipLimits } from './relationships/limits.ts';
import { countFollowRequests } from './relationships/relationships.queries.ts';

export interface Credentials {
  readonly account: AccountView;
  readonly login: Login;
  /** Counted up to a bound. */
  readonly followRequests: number;
}

/** The keyspaces of everything in `Credentials` except the follow requests. */
export const credentialSpaces = [profiles, accountCounters, logins];

/** A local account as its owner sees it. */
export function findCredentials(reader: Reader, accountId: Id): Credentials | undefined {
  const account = findAccount(reader, accountId);
  const login = reader.get(logins, [accountId]);
  if (account === undefined || login === undefined) return undefined;
  const followRequests = countFollowRequests(reader, accountId, relationshipLimits.requestsCountedMax);
  return { account, login, followRequests };
}
