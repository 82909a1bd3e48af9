/** Reads accounts as the public may see them, and as their owners do. */

import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Destination } from '../../intents.ts';
import { relationshipLimits } from '../relationships/limits.ts';
import { countFollowRequests } from '../relationships/relationships.queries.ts';
import { type AccountView, findAccount } from '../statuses/statuses.queries.ts';
import type { Login, Profile } from './profile.records.ts';
import { accountCounters, logins, profiles } from './profile.state.ts';

/** A public account: a local one once its owner may sign in, a remote one until its server deletes it. */
export function findPublicAccount(reader: Reader, accountId: Id): AccountView | undefined {
  const account = findAccount(reader, accountId);
  if (account === undefined || account.profile.deletedRemotelyAt !== undefined) return undefined;
  if (account.profile.remote !== undefined) return account;
  const login = reader.get(logins, [accountId]);
  return login === undefined || (login.confirmed && login.approved) ? account : undefined;
}

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

/** The delivery destination of a remote account; undefined for a local one. */
export function destinationOf({ domain, remote }: Profile): Destination | undefined {
  if (domain === undefined || remote === undefined) return undefined;
  const shared = remote.sharedInbox === undefined ? {} : { sharedInbox: remote.sharedInbox };
  return { host: domain, inbox: remote.inbox, ...shared };
}

/** Whether the account wants to be found. */
export function isDiscoverable(reader: Reader, accountId: Id): boolean {
  return reader.get(profiles, [accountId])?.discoverable === true;
}
