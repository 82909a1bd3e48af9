/** Reads accounts as the public may see them, and as their owners do. */

import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Destination } from '../../intents.ts';
import type { HeldRole } from '../../policy/roles.ts';
import { findRole } from '../../roles.queries.ts';
import type { AccountCounters, Profile } from './profile.records.ts';
import { accountCounters, logins, profiles } from './profile.state.ts';

export interface AccountView {
  readonly profile: Profile;
  readonly counters: AccountCounters;
  /** One that staff have added. */
  readonly addedRole?: HeldRole | undefined;
}

export const noAccountCounters: AccountCounters = { statuses: 0, followers: 0, following: 0 };

export function findAccount(reader: Reader, accountId: Id): AccountView | undefined {
  const profile = reader.get(profiles, [accountId]);
  if (profile === undefined) return undefined;
  const account = { profile, counters: findCounters(reader, accountId) };
  return profile.roleId === undefined ? account : { ...account, addedRole: findRole(reader, profile.roleId) };
}

export function findCounters(reader: Reader, accountId: Id): AccountCounters {
  return reader.get(accountCounters, [accountId]) ?? noAccountCounters;
}

/** A public account: a local one once its owner may sign in, a remote one until its server deletes it. */
export function findPublicAccount(reader: Reader, accountId: Id): AccountView | undefined {
  const account = findAccount(reader, accountId);
  if (account === undefined || account.profile.deletedRemotelyAt !== undefined) return undefined;
  if (account.profile.remote !== undefined) return account;
  const login = reader.get(logins, [accountId]);
  return login === undefined || (login.confirmed && login.approved) ? account : undefined;
}

/** Whether it was an account of this server, of which nothing but its name is left: that is gone for everybody. */
export function isRemovedHere(reader: Reader, accountId: Id): boolean {
  const profile = reader.get(profiles, [accountId]);
  return profile !== undefined && profile.remote === undefined && profile.dataRemovedAt !== undefined;
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
