/** Delivery destinations of remote accounts: their inboxes. */

import { destinationOf } from '../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../actors/account/remote/federation.queries.ts';
import type { Destination } from '../actors/intents.ts';
import type { Id } from '../runtime/ids.ts';
import type { Reader } from '../runtime/storage/reader.ts';

export function destinationsOfAccounts(reader: Reader, accountIds: readonly Id[]): Destination[] {
  const destinations: Destination[] = [];
  for (const accountId of accountIds) {
    const profile = findProfile(reader, accountId);
    const destination = profile === undefined ? undefined : destinationOf(profile);
    if (destination !== undefined) destinations.push(destination);
  }
  return destinations;
}
