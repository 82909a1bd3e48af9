/** Who is told of a move besides followers. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Destination } from '../../intents.ts';
import { profiles } from '../profile/profile.state.ts';
import { destinationOf } from '../profile/profiles.queries.ts';
import { blockedBy } from '../relationships/relationships.state.ts';
import { movingLimits } from './limits.ts';

/** Inboxes of remote accounts that block this one: the shared ones of their servers, where there are any. */
export function inboxesOfBlockers(reader: Reader, accountId: Id): Destination[] {
  const inboxes = new Map<string, Destination>();
  for (const { key } of reader.range(blockedBy, [accountId], { limit: movingLimits.blockersReadMax })) {
    const profile = reader.get(profiles, [key[1]]);
    const destination = profile && destinationOf(profile);
    if (destination === undefined) continue;
    const inbox = destination.sharedInbox ?? destination.inbox;
    inboxes.set(inbox, { host: destination.host, inbox });
  }
  return [...inboxes.values()];
}
