/** Where the outside hears of accounts: the inboxes of the remote ones. */

import type { Profile } from '../actors/account/profile/profile.records.ts';
import { findAccount } from '../actors/account/statuses/statuses.queries.ts';
import type { Destination } from '../actors/intents.ts';
import type { Id } from '../runtime/ids.ts';
import type { Reader } from '../runtime/storage/reader.ts';

/** Undefined for a local account. */
export function destinationOf(profile: Profile): Destination | undefined {
  const { domain, remote } = profile;
  if (domain === undefined || remote === undefined) return undefined;
  const shared = remote.sharedInbox === undefined ? {} : { sharedInbox: remote.sharedInbox };
  return { host: domain, inbox: remote.inbox, ...shared };
}

export function destinationsOfAccounts(reader: Reader, accountIds: readonly Id[]): Destination[] {
  const destinations: Destination[] = [];
  for (const accountId of accountIds) {
    const account = findAccount(reader, accountId);
    const destination = account === undefined ? undefined : destinationOf(account.profile);
    if (destination !== undefined) destinations.push(destination);
  }
  return destinations;
}
