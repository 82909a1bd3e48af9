/**
 * Who follows an account, as one digest for each other server (FEP-8fcf). The followers of an account are read once for
 * each of its posts to them, in slices.
 */
import type { Intent } from '../../actors/intents.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Id } from '../../runtime/ids.ts';
import { isUnreadable, type Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Addresses } from '../../services/addresses.ts';
import { TimeSlices } from '../../services/time-slices.ts';
import { isPublic } from '../documents/audience.ts';
import {
  followersDigest,
  synchronizationHeader,
  writeSynchronization,
} from '../documents/followers-synchronization.ts';
import { readAudience } from '../documents/read-note.ts';
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

  /**
   * Of a post that is for followers, as its activity says; undefined for all others, about which no server has to know who
   * they are.
   */
  headersFor({ kind, actorId }: Intent, activity: JsonObject): SynchronizationHeaders | undefined {
    if (kind !== 'create' && kind !== 'update') return undefined;
    const audience = readAudience(activity);
    const username = this.addresses.usernameOf(String(activity.actor));
    if (username === undefined || isPublic(audience) || !audience.to.includes(this.addresses.followers(username)))
      return undefined;
    const collectionId = this.addresses.followers(username);
    const url = followersSynchronizationAddress(this.addresses, username);
    let read: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
    return async ({ origin }) => {
      read ??= this.read(actorId);
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
