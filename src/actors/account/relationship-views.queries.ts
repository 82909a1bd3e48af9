/**
 * Relationships of a viewer to accounts (the Relationship entity), read from the viewer's side only, thus from one
 * partition.
 */

import type { Id } from '../../runtime/ids.ts';
import type { Keyspace } from '../../runtime/storage/keyspace.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Viewer } from '../policy/visibility.ts';
import { endorsements } from './endorsements/endorsements.state.ts';
import { notes } from './notes/notes.state.ts';
import { profiles } from './profile/profile.state.ts';
import { relationshipLimits } from './relationships/limits.ts';
import type { Follow, Mute } from './relationships/relationships.records.ts';
import { blockedBy, blocks, followers, following, followRequests, mutes } from './relationships/relationships.state.ts';
import { viewerOf } from './relationships/viewer.queries.ts';

/** The relationship of a viewer to one account. */
export interface RelationshipView {
  readonly accountId: Id;
  /** The viewer's follow of it, accepted or requested. */
  readonly follow: Follow | undefined;
  readonly followedBy: boolean;
  readonly requestedBy: boolean;
  readonly blocking: boolean;
  readonly blockedBy: boolean;
  /** A mute that is in force. */
  readonly mute: Mute | undefined;
  readonly domainBlocking: boolean;
  readonly endorsed: boolean;
  /** Empty where there is none. */
  readonly note: string;
}

export interface RelatedAccount {
  readonly accountId: Id;
  /** Undefined for a local account. */
  readonly domain: string | undefined;
}

export function findRelationship(reader: Reader, viewerId: Id, accountId: Id, now: number): RelationshipView {
  const domain = reader.get(profiles, [accountId])?.domain;
  const found = findRelationships(reader, viewerId, viewerOf(reader, viewerId, now), [{ accountId, domain }]);
  return found[0]!;
}

/** In the order of the accounts. */
export function findRelationships(
  reader: Reader,
  viewerId: Id,
  viewer: Viewer,
  accounts: readonly RelatedAccount[],
): RelationshipView[] {
  const lookUp = <Value>(space: Keyspace<[Id, Id], Value>) => entriesOf(reader, space, viewerId, accounts.length);
  const [follower, requester] = [lookUp(followers), lookUp(followRequests)];
  const [endorsed, noteOn] = [lookUp(endorsements), lookUp(notes)];
  return accounts.map(({ accountId, domain }) => {
    const key: [Id, Id] = [viewerId, accountId];
    const isBlocked = viewer.blocks(accountId);
    return {
      accountId,
      follow: reader.get(following, key),
      followedBy: follower(accountId) !== undefined,
      requestedBy: requester(accountId) !== undefined,
      blocking: isBlocked && reader.get(blocks, key) !== undefined,
      blockedBy: isBlocked && reader.get(blockedBy, key) !== undefined,
      mute: viewer.mutes(accountId) ? reader.get(mutes, key) : undefined,
      domainBlocking: viewer.hidesDomain(domain),
      endorsed: endorsed(accountId) !== undefined,
      note: noteOn(accountId)?.comment ?? '',
    };
  });
}

/**
 * Looks up the entries of a keyspace that an account has about others. Most accounts have few or none: for many others
 * a few entries are read first, and where these are all, nothing else is read.
 */
function entriesOf<Value>(
  reader: Reader,
  space: Keyspace<[Id, Id], Value>,
  accountId: Id,
  others: number,
): (otherId: Id) => Value | undefined {
  const limit = Math.floor(others / relationshipLimits.othersPerEntryRead);
  if (limit > 0) {
    const entries = Array.from(
      reader.range(space, [accountId], { limit }),
      ({ key, value }) => [key[1], value] as const,
    );
    if (entries.length < limit) {
      const known = new Map(entries);
      return (otherId) => known.get(otherId);
    }
  }
  return (otherId) => reader.get(space, [accountId, otherId]);
}
