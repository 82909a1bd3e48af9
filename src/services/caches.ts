/**
 * The caches of a thread, and how they share the memory that the thread has for them (options/memory.ts). Each keeps
 * its own bound in bytes and is listed with it in the metrics.
 */
import { measureCache } from '../runtime/metrics/caches.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';

/** Relative shares, per kind of thread. A network thread shows nothing, and publishes rarely. */
const shares = {
  /** Encoded statuses and accounts of the API, the same for all viewers. */
  statuses: { gateway: 36, network: 0 },
  accounts: { gateway: 8, network: 0 },
  /** What decides whether accounts are shown, of those that are only counted or looked up. */
  accountFacts: { gateway: 2, network: 0 },
  /** Whom viewers hide, and viewer states of statuses. */
  viewers: { gateway: 14, network: 0 },
  /** The newest entries of public timelines, tags and profiles; the tags that accounts follow. */
  lists: { gateway: 8, network: 0 },
  followedTags: { gateway: 4, network: 0 },
  /** Which status each entry of a home shows. */
  originals: { gateway: 1, network: 0 },
  /** How busy tags were used on the last days. */
  tagHistories: { gateway: 1, network: 0 },
  /** The newest notifications of accounts. */
  notifications: { gateway: 8, network: 0 },
  /** The newest conversations of accounts. */
  conversations: { gateway: 3, network: 0 },
  /** Encoded newest pages of notifications and conversations. */
  pages: { gateway: 10, network: 0 },
  /** The owners of lists. */
  listOwners: { gateway: 1, network: 0 },
  /** Translated statuses. */
  translations: { gateway: 2, network: 0 },
  /** Data that waits for slow streams. */
  streamBuffers: { gateway: 10, network: 0 },
  /** Large answers that wait for slow clients. */
  largeAnswers: { gateway: 10, network: 0 },
  /** Access tokens with their rights. */
  grants: { gateway: 4, network: 0 },
  /** Local accounts as their owners see them. */
  credentials: { gateway: 3, network: 0 },
  /** ActivityPub documents of local statuses and accounts. */
  documents: { gateway: 8, network: 1 },
  /** Accounts by their URI, and their parsed keys. */
  knownAccounts: { gateway: 8, network: 30 },
  publicKeys: { gateway: 8, network: 1 },
  /** Parsed private keys of local accounts. */
  privateKeys: { gateway: 0, network: 10 },
  /** Recently processed inbound activities. */
  recentActivities: { gateway: 2, network: 1 },
  /** Rendered outbound activities. */
  activities: { gateway: 0, network: 40 },
  /** Sequences of deliveries in the queues of lanes. */
  queuedDeliveries: { gateway: 0, network: 16 },
  /** The latest deliveries of each partition's log. */
  deliveries: { gateway: 0, network: 60 },
  /** Addresses and hosts that recently failed. */
  failedFetches: { gateway: 0, network: 17 },
} as const;

export type CacheName = keyof typeof shares;

export interface CachesOptions {
  readonly role: 'gateway' | 'network';
  /** All caches together. */
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

  /** Adds the cache to the metrics. */
  measure(name: CacheName, cache: { readonly bytes: number }): void {
    const { metrics } = this.options;
    if (metrics !== undefined) measureCache(metrics, { name, bytesMax: this.bytesMax(name), bytes: () => cache.bytes });
  }
}
