/**
 * The services of every thread without actors, and thus of every operation. One for each gateway and network thread.
 */

import type { Options } from '../options/table.ts';
import type { Clock, Problem } from '../runtime/ports.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import type { Client } from '../runtime/threads/client.ts';
import type { Addresses } from './addresses.ts';
import type { BlobStore, BlobStores } from './blobs/blob-store.ts';
import type { Caches } from './caches.ts';
import type { CleanRemoteHtml } from './clean-remote-html.ts';
import type { DeliveryLanes } from './delivery-lanes.ts';
import type { DomainListNetwork } from './domain-lists.ts';
import type { EventHub } from './event-hub.ts';
import type { Feeds } from './feeds.ts';
import type { MailService } from './mail.ts';
import type { IncomingFiles } from './media/incoming-files.ts';
import type { MediaWaits } from './media/media-waits.ts';
import type { Pictures } from './media/pictures.ts';
import type { RemoteMedia } from './media/remote-media.ts';
import type { Members } from './members.ts';
import type { PassedOnNetwork } from './passed-on.ts';
import type { RelayNetwork } from './relay.ts';
import type { RevocationBarrier } from './revocation-barrier.ts';
import type { Search } from './search/search.ts';
import type { SignedDocuments } from './signed-documents.ts';
import type { StorageService } from './storage.ts';
import type { TagHistories } from './tag-histories.ts';
import type { TimeSlices } from './time-slices.ts';
import type { Translator } from './translator.ts';
import type { Languages } from './words/languages.ts';

/** `cause` is the traced request that needs the result: what is stored for it carries it on. */
export interface RemoteResolver {
  /**
   * Looks up handles (`user@host`, normalised) at their servers, all within `deadlineMilliseconds`; those not found by
   * then are left out. Accounts found are stored before this settles.
   */
  resolveHandles(
    handles: readonly string[],
    deadlineMilliseconds: number,
    cause?: string,
  ): Promise<ReadonlyMap<string, bigint>>;
  /**
   * The same for one handle. Undefined where its server has no such account. Throws Failure remoteUnreachable where the
   * server cannot be asked now, or does not answer within `deadlineMilliseconds`.
   */
  resolveHandle(handle: string, deadlineMilliseconds: number, cause?: string): Promise<bigint | undefined>;
  /**
   * Fetches the status or account at a remote address, and stores it before this settles. Undefined for anything else,
   * and for what may not be stored here. `onBehalfOf`: the local account that asks; otherwise the server itself does.
   * Throws like `resolveHandle`.
   */
  resolveAddress(
    address: string,
    deadlineMilliseconds: number,
    asker?: { readonly cause?: string | undefined; readonly onBehalfOf?: bigint | undefined },
  ): Promise<Resolved | undefined>;
  /**
   * Fetches the account that owns a key of an HTTP signature, and stores it before this settles. `fresh` asks even if
   * that failed lately.
   */
  findKeyOwner(keyId: string, fresh: boolean, cause?: string): Promise<KeyOwner>;
}

/** What an address refers to. */
export type Resolved =
  | { readonly accountId: bigint }
  | { readonly statusId: bigint }
  | { readonly collectionId: bigint };

/** `none`: no such key exists. `unreachable`: its server cannot be asked now. */
export type KeyOwner =
  | { readonly accountId: bigint; readonly uri: string }
  | { readonly failure: 'none' | 'unreachable' };

export interface Services extends Clock {
  readonly options: Options;
  readonly addresses: Addresses;
  /** Calls to actors: `client.call(Account.publish.to(id, …), flowOf(accountId))`. */
  readonly client: Client;
  /** Reads, never older than the request, nor than any answer or event that this thread has received. */
  readonly snapshots: Snapshots;
  readonly feeds: Feeds;
  /** The bytes of media, in whichever store they are. */
  readonly blobs: BlobStore;
  readonly blobStores: BlobStores;
  /** Uploaded files that wait to be decoded. */
  readonly incoming: IncomingFiles;
  readonly mediaWaits: MediaWaits;
  /** Copies of files of other servers. */
  readonly remoteMedia: RemoteMedia;
  /** Where network threads keep them. */
  readonly mediaCacheFolder: string;
  /** Decodes and stores pictures of profiles, emojis and the server. */
  readonly pictures: Pictures;
  readonly events: EventHub;
  /** The bounds of this thread's caches. */
  readonly caches: Caches;
  /** What `operation` waits for before it answers a change. */
  readonly barrier: RevocationBarrier;
  /** Sanitises HTML of other servers; synchronous where no work is needed. */
  readonly cleanHtml: CleanRemoteHtml;
  /** Reads documents with a signature of their own, and makes such. */
  readonly signedDocuments: SignedDocuments;
  /** Looks up remote objects that are not known here yet. */
  readonly resolver: RemoteResolver;
  /** Deliveries to other servers, on the network threads. */
  readonly deliveryLanes: DeliveryLanes;
  readonly mail: MailService;
  /** What takes the disk space. */
  readonly storage: StorageService;
  /** Reads subscribed lists of domains, to see what they would change. */
  readonly domainLists: DomainListNetwork;
  /** Absent where the operator has configured none. */
  readonly translator?: Translator | undefined;
  /** What the relay asks of network threads. */
  readonly relay: RelayNetwork;
  /** What gateways ask and count about activities that others pass on. */
  readonly passedOn: PassedOnNetwork;
  /** In the text of statuses. Absent where the operator has switched it off. */
  readonly search?: Search | undefined;
  /** What pages and mails say, by language. */
  readonly languages: Languages;
  /** The use of tags on the last days. */
  readonly tagHistories: TagHistories;
  /** What rooms above keep for this thread (members.ts). */
  readonly members: Members;
  /** Runs long work of this thread in slices. */
  readonly slices: TimeSlices;
  report(problem: Problem): void;
}

/** The flow of work caused by a local account. */
export function flowOfAccount(accountId: bigint): string {
  return `account:${accountId}`;
}

/** The flow of work caused by whoever is not signed in. That of the server and its operator is never refused. */
export const flowOfVisitors = 'visitors';

/** The flow of the posts that the relay takes in: it shares them fairly itself, by the servers that bring them. */
export const flowOfRelay = 'relay';

/** The flow of work caused by a remote host. */
export function flowOfHost(host: string): string {
  return `domain:${host}`;
}
