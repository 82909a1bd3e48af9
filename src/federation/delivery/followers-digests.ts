/**
 * Who follows an account, as one digest for each other server (FEP-8fcf). The followers of an account are read once for
 * each of its posts to them, in slices.
 */
import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Intent } from '../../actors/intents.ts';
import type { Id } from '../../runtime/ids.ts';
import { isUnreadable, type Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Addresses } from '../../services/addresses.ts';
import { TimeSlices } from '../../services/time-slices.ts';
import {
  followersDigest,
  synchronizationHeader,
  writeSynchronization,
} from '../documents/followers-synchronization.ts';
import { followersByOrigin } from '../followers-by-origin.ts';
import { followersSynchronizationAddress } from '../local-addresses.ts';

/** The headers for the server with this inbox. */
export type SynchronizationHeaders = (inbox: URL) => Promise<Record<string, string> | undefined>;

export class FollowersDigests {
  private readonly snapshots: Snapshots;
  private readonly addresses: Addresses;
  private readonly slices = new TimeSlices();

  constructor({ snapshots, addresses }: { readonly snapshots: Snapshots; readonly addresses: Addresses }) {
    this.snapshots = snapshots;
    this.addresses = addresses;
  }

  /** Undefined for what is not only for followers: the receiving server asks nobody who they are. */
  headersFor(intent: Intent): SynchronizationHeaders | undefined {
    if (intent.kind !== 'create' && intent.kind !== 'update') return undefined;
    if (findStatusRecord(this.snapshots, intent.statusId)?.visibility !== 'private') return undefined;
    const username = findProfile(this.snapshots, intent.actorId)?.username;
    if (username === undefined) return undefined;
    const collectionId = this.addresses.followers(username);
    const url = followersSynchronizationAddress(this.addresses, username);
    let read: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
    return async ({ origin }) => {
      read ??= this.read(intent.actorId);
      const followers = (await read).get(origin);
      if (followers === undefined) return undefined;
      return {
        [synchronizationHeader]: writeSynchronization({ collectionId, url, digest: followersDigest(followers) }),
      };
    };
  }

  /** Nobody where the storage cannot be read now: a post without the header arrives as well. */
  private async read(accountId: Id): Promise<ReadonlyMap<string, readonly string[]>> {
    try {
      return await this.slices.run(followersByOrigin(this.snapshots, accountId));
    } catch (error) {
      if (isUnreadable(error)) return new Map();
      throw error;
    }
  }
}
