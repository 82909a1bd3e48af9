/**
 * Accounts by their URI, as inbound activities need them, cached: an activity names several, and the same ones recur.
 * Unknown URIs are not cached, so that an account is found as soon as it is known.
 *
 * INVARIANT an entry is dropped when its profile changes (events) and when events may have been lost.
 */
import type { Profile } from '../actors/account/profile/profile.records.ts';
import { findPublicAccount } from '../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../actors/account/remote/federation.queries.ts';
import type { Mention } from '../actors/account/statuses/statuses.records.ts';
import { cacheables } from '../actors/cacheables.ts';
import { nameOfHandle } from '../actors/directory/directory.messages.ts';
import { accountIdOfName } from '../actors/directory/directory.queries.ts';
import type { Id } from '../runtime/ids.ts';
import { SizedMap } from '../runtime/sized-map.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import type { Addresses } from '../services/addresses.ts';
import type { Services } from '../services/services.ts';

export interface KnownAccount {
  readonly id: Id;
  readonly uri: string;
  readonly isLocal: boolean;
  readonly username: string;
  /** The host[:port] of its handle; that of this server for local accounts. */
  readonly host: string;
  /** Also the entry in the mentions of a status. */
  readonly mention: Mention;
  /** The collection of its followers; undefined where its actor names none. */
  readonly followers: string | undefined;
  /** For remote accounts: the key of its signatures. */
  readonly keyId: string | undefined;
  readonly keyText: string | undefined;
  /** Further ones, such as that of proofs. */
  readonly moreKeys?: readonly { readonly id: string; readonly text: string }[] | undefined;
  readonly isSuspended: boolean;
  /** Suspended by its own server, and not by this one. */
  readonly isSuspendedByOrigin: boolean;
  /** An Application: the actor of a server. */
  readonly isServer: boolean;
}

/**
 * The text of the account's key that a signature's `keyId` names: by the key's id or, as apex (Guppe, Immers) does, by the
 * account's id, which means the key that signs requests.
 */
export function keyTextOf(
  { keyId: ownKeyId, keyText, uri, moreKeys }: KnownAccount,
  keyId: string,
): string | undefined {
  if (keyId === ownKeyId || keyId === uri) return keyText;
  return moreKeys?.find(({ id }) => id === keyId)?.text;
}

export type KnownAccountsServices = Pick<Services, 'snapshots' | 'addresses' | 'events' | 'caches'>;

/** The memory besides its texts. */
const accountBytes = 600;

function bytesOfAccount({ uri, followers = '', keyId = '', keyText = '', mention, moreKeys }: KnownAccount): number {
  const more = moreKeys?.reduce((sum, { id, text }) => sum + id.length + text.length, 0) ?? 0;
  return accountBytes + uri.length + followers.length + keyId.length + keyText.length + 2 * mention.url.length + more;
}

export class KnownAccounts {
  private readonly snapshots: Snapshots;
  private readonly addresses: Addresses;
  private readonly known: SizedMap<string, KnownAccount>;

  constructor({ snapshots, addresses, events, caches }: KnownAccountsServices) {
    this.snapshots = snapshots;
    this.addresses = addresses;
    this.known = new SizedMap({ bytesMax: caches.bytesMax('knownAccounts'), bytesOf: bytesOfAccount });
    caches.measure('knownAccounts', this.known);
    events.onInvalidation(cacheables.profile, (accountId) => this.forget(accountId));
    events.onLoss(() => this.known.clear());
  }

  /** The account of an actor's URI, or of a local profile page; undefined for an unknown one. */
  find(uri: string): KnownAccount | undefined {
    const kept = this.known.use(uri);
    if (kept !== undefined) return kept;
    const found = this.read(uri);
    // Other spellings of a local name could not be dropped when the account changes.
    if (found === undefined || !this.namesOf(found).includes(uri)) return found;
    this.known.set(uri, found);
    return found;
  }

  /** The account will be read again. */
  forget(accountId: Id): void {
    const profile = findProfile(this.snapshots, accountId);
    if (profile === undefined) return;
    for (const uri of this.namesOf(knownAccount(profile, this.addresses))) {
      this.known.delete(uri);
    }
  }

  /** The account of a handle; the host in normal form. */
  ofHandle(username: string, host: string): KnownAccount | undefined {
    return this.addresses.isOwnHost(host) ? this.ofUsername(username) : this.named(nameOfHandle(username, host));
  }

  /** The local account of this name. */
  ofUsername(username: string): KnownAccount | undefined {
    return this.find(this.addresses.actor(username));
  }

  private read(uri: string): KnownAccount | undefined {
    const username = this.addresses.usernameOf(uri);
    if (username !== undefined) return this.named(nameOfHandle(username, undefined));
    return this.addresses.isLocal(uri) ? undefined : this.named(uri);
  }

  /** The keys under which an account is cached. */
  private namesOf({ uri, isLocal, username }: KnownAccount): string[] {
    return isLocal ? [uri, this.addresses.profile(username)] : [uri];
  }

  private named(name: string): KnownAccount | undefined {
    const accountId = accountIdOfName(this.snapshots, name);
    const profile = accountId === undefined ? undefined : findProfile(this.snapshots, accountId);
    if (profile === undefined || profile.purgedAt !== undefined || this.isWaiting(profile)) return undefined;
    return knownAccount(profile, this.addresses);
  }

  /** A local account that is not confirmed or not approved does not exist yet for others, even if its name is guessed. */
  private isWaiting({ id, remote }: Profile): boolean {
    return remote === undefined && findPublicAccount(this.snapshots, id) === undefined;
  }
}

export function knownAccount(profile: Profile, addresses: Addresses): KnownAccount {
  const { id, username, domain, remote } = profile;
  const acct = domain === undefined ? username : `${username}@${domain}`;
  return {
    id,
    uri: remote?.uri ?? addresses.actor(username),
    isLocal: remote === undefined,
    username,
    host: domain ?? addresses.domain,
    mention: { id, username, acct, url: remote?.url ?? addresses.profilePath(username) },
    followers: remote === undefined ? addresses.followers(username) : remote.followers,
    keyId: remote?.publicKeyId,
    keyText: remote?.publicKeyPem,
    ...(remote?.moreKeys && { moreKeys: remote.moreKeys }),
    isSuspended: profile.suspendedAt !== undefined,
    isSuspendedByOrigin: profile.isSuspendedByOrigin === true,
    isServer: profile.actorType === 'Application',
  };
}

/** Whether this id is the collection of an account's followers. */
export function isFollowersOf(account: KnownAccount, name: string): boolean {
  return name === (account.followers ?? `${account.uri}/followers`);
}
