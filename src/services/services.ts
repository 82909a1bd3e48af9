/** What every thread without actors works with, and with it every operation. One for each gateway and network thread. */

import type { Options } from '../options/table.ts';
import type { Problem } from '../runtime/ports.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import type { Client } from '../runtime/threads/client.ts';
import type { Addresses } from './addresses.ts';
import type { Caches } from './caches.ts';
import type { CleanRemoteHtml } from './clean-remote-html.ts';
import type { EventHub } from './event-hub.ts';
import type { Feeds } from './feeds.ts';
import type { RevocationBarrier } from './revocation-barrier.ts';
import type { Translator } from './translator.ts';

export interface RemoteResolver {
  /**
   * Looks the handles (`user@host`, normalised) up at their servers, all together within `deadlineMilliseconds`; what is
   * not found by then is left out. Accounts found are stored before this settles.
   */
  resolveHandles(handles: readonly string[], deadlineMilliseconds: number): Promise<ReadonlyMap<string, bigint>>;
  /**
   * Fetches the status or the account at an address of another server, and stores it before this settles. Undefined for
   * anything else, for what may not be stored here, and for what did not come within `deadlineMilliseconds`.
   */
  resolveAddress(address: string, deadlineMilliseconds: number): Promise<Resolved | undefined>;
  /**
   * Fetches the account that owns a key of an HTTP signature, and stores it before this settles. `fresh` asks even if
   * that failed lately.
   */
  findKeyOwner(keyId: string, fresh: boolean): Promise<KeyOwner>;
}

/** What an address led to. */
export type Resolved =
  | { readonly accountId: bigint }
  | { readonly statusId: bigint }
  | { readonly collectionId: bigint };

/** `none`: there is no such key. `unreachable`: its server cannot be asked now. */
export type KeyOwner =
  | { readonly accountId: bigint; readonly uri: string }
  | { readonly failure: 'none' | 'unreachable' };

export interface Services {
  readonly options: Options;
  readonly addresses: Addresses;
  /** Calls to actors: `client.call(Account.publish.to(id, …), flowOf(accountId))`. */
  readonly client: Client;
  /** Reads. What is read is never older than the request, nor than any answer or event that this thread has got. */
  readonly snapshots: Snapshots;
  readonly feeds: Feeds;
  readonly events: EventHub;
  /** How much each cache of this thread may hold. */
  readonly caches: Caches;
  /** Await after a block, a mute or a revoked token, before it is answered. */
  readonly barrier: RevocationBarrier;
  /** Makes HTML of other servers safe; synchronous for what needs no work. */
  readonly cleanHtml: CleanRemoteHtml;
  /** Finds what is at other servers and not known here yet. */
  readonly resolver: RemoteResolver;
  /** Absent where the operator named none. */
  readonly translator?: Translator | undefined;
  now(): number;
  report(problem: Problem): void;
}

/** The flow of work that a local account causes. */
export function flowOfAccount(accountId: bigint): string {
  return `account:${accountId}`;
}

/** The flow of work that a remote host causes. */
export function flowOfHost(host: string): string {
  return `domain:${host}`;
}
