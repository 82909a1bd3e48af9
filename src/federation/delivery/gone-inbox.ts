/** An inbox is not there any more, or has moved: finds its accounts, whose actors are then fetched again. */
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { followersBehind } from '../../actors/domain/domain.queries.ts';
import type { Intent } from '../../actors/intents.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { ActivityEntry } from './activity-entry.ts';
import { deliveryLimits } from './limits.ts';

export interface GoneInbox {
  readonly host: string;
  readonly inbox: string;
  readonly entry: Pick<ActivityEntry, 'intent' | 'followersOf'>;
}

/** Remote recipients of the delivery whose personal inbox this is. */
export function accountsAt(reader: Reader, { host, inbox, entry }: GoneInbox): Profile[] {
  const { intent, followersOf } = entry;
  const behind =
    followersOf === undefined ? [] : followersBehind(reader, host, followersOf, inbox, deliveryLimits.goneFollowersMax);
  const profiles: Profile[] = [];
  for (const accountId of new Set([...behind, ...namedBy(reader, intent)])) {
    const profile = findProfile(reader, accountId);
    if (profile?.remote?.inbox === inbox) profiles.push(profile);
  }
  return profiles;
}

/** The accounts that an intent addresses by name. */
function namedBy(reader: Reader, intent: Intent): Id[] {
  if ('targetId' in intent) return [intent.targetId];
  if ('authorId' in intent) return [intent.authorId];
  const status = 'statusId' in intent ? findStatusRecord(reader, intent.statusId) : undefined;
  const parent = status?.inReplyToAccountId === undefined ? [] : [status.inReplyToAccountId];
  return [...(status?.mentions.map(({ id }) => id) ?? []), ...parent];
}
