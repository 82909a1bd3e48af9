/**
 * The caches of a thread: which there are, and how the memory that the thread has for them (options/memory.ts) is shared
 * out. Each keeps its own bound in bytes, and stands in the table of metrics beside it.
 */
import { measureCache } from '../runtime/metrics/caches.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';

/** In parts of the whole, for each kind of thread. A network thread shows nothing, and publishes seldom. */
const shares = {
  /** Statuses and accounts as the API encodes them, whoever looks. */
  statuses: { gateway: 36, network: 0 },
  accounts: { gateway: 8, network: 0 },
  /** Whom viewers hide, and what statuses are to them. */
  viewers: { gateway: 14, network: 0 },
  /** The newest entries of public timelines, tags and profiles; the tags that accounts follow. */
  lists: { gateway: 8, network: 0 },
  followedTags: { gateway: 4, network: 0 },
  /** The newest notifications of accounts. */
  notifications: { gateway: 8, network: 0 },
  /** The newest conversations of accounts. */
  conversations: { gateway: 3, network: 0 },
  /** Access tokens with what they permit. */
  grants: { gateway: 4, network: 0 },
  /** What users are told of their own accounts. */
  credentials: { gateway: 3, network: 0 },
  /** What ActivityPub says of statuses and accounts here. */
  documents: { gateway: 8, network: 1 },
  /** Accounts by their URI, and their parsed keys. */
  knownAccounts: { gateway: 8, network: 30 },
  publicKeys: { gateway: 8, network: 1 },
  /** Of accounts here, parsed. */
  privateKeys: { gateway: 0, network: 10 },
  /** Inbound activities that were applied lately. */
  recentActivities: { gateway: 2, network: 1 },
  /** Outbound activities, rendered. */
  activities: { gateway: 0, network: 40 },
  /** The latest deliveries of each partition's log. */
  deliveries: { gateway: 0, network: 60 },
  /** Addresses and hosts that did not answer lately. */
  failedFetches: { gateway: 0, network: 17 },
} as const;

export type CacheName = keyof typeof shares;

export interface CachesOptions {
  readonly role: 'gateway' | 'network';
  /** Of all caches together. */
  readonly bytes: number;
  readonly metrics?: Metrics | undefined;
}

export class Caches {
  private readonly options: CachesOptions;
  private readonly parts: number;

  constructor(options: CachesOptions) {
    this.options = options;
    this.parts = Object.values(shares).reduce((sum, share) => sum + share[options.role], 0);
  }

  bytesMax(name: CacheName): number {
    const { role, bytes } = this.options;
    return Math.floor((bytes * shares[name][role]) / this.parts);
  }

  /** From now on what the cache holds is measured. */
  measure(name: CacheName, cache: { readonly bytes: number }): void {
    const { metrics } = this.options;
    if (metrics !== undefined) measureCache(metrics, { name, bytesMax: this.bytesMax(name), bytes: () => cache.bytes });
  }
}
