/**
 * The caches of a thread, and how they share the memory that the thread has for them (options/memory.ts). Each keeps
 * its own bound in bytes and is listed with it in the metrics.
 */
import { measureCache } from '../runtime/metrics/caches.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';

/** Relative shares, per role; roles that are not named have no such cache. A network thread shows nothing, and publishes rarely. */
const shares = {
  /** Encoded statuses and accounts of the API, the same for all viewers. */
  statuses: { gateway: 36 },
  accounts: { gateway: 8 },
  /** What decides whether accounts are shown, of those that are only counted or looked up. */
  accountFacts: { gateway: 2 },
  /** What searches rank accounts by. */
  searchedAccounts: { gateway: 2 },
  /** Whom viewers hide, and viewer states of statuses. */
  viewers: { gateway: 14 },
  /** The newest entries of public timelines, tags and profiles; the tags that accounts follow. */
  lists: { gateway: 8 },
  followedTags: { gateway: 4 },
  /** The newest statuses of authors, for merging homes. */
  homeStatuses: { gateway: 8 },
  /** Which status each entry of a home shows. */
  originals: { gateway: 1 },
  /** How busy tags were used on the last days. */
  tagHistories: { gateway: 1 },
  /** The newest notifications of accounts. */
  notifications: { gateway: 8 },
  /** The newest conversations of accounts. */
  conversations: { gateway: 3 },
  /** Encoded newest pages of notifications and conversations. */
  pages: { gateway: 10 },
  /** The owners of lists. */
  listOwners: { gateway: 1 },
  /** Translated statuses. */
  translations: { gateway: 2 },
  /** Data that waits for slow streams. */
  streamBuffers: { gateway: 10 },
  /** Large answers that wait for slow clients. */
  largeAnswers: { gateway: 10 },
  /** Access tokens with their rights. */
  grants: { gateway: 4 },
  /** Local accounts as their owners see them. */
  credentials: { gateway: 3 },
  /** ActivityPub documents of local statuses and accounts. */
  documents: { gateway: 8, network: 1 },
  /** Accounts by their URI, and their parsed keys. */
  knownAccounts: { gateway: 8, network: 30 },
  publicKeys: { gateway: 8, network: 1 },
  /** Parsed private keys of local accounts. */
  privateKeys: { network: 10 },
  /** Recently processed inbound activities. */
  recentActivities: { gateway: 2, network: 1 },
  /** Rendered outbound activities. */
  activities: { network: 40 },
  /** Sequences of deliveries in the queues of lanes. */
  queuedDeliveries: { network: 16 },
  /** The latest deliveries of each partition's log. */
  deliveries: { network: 60 },
  /** The same for push messages. */
  queuedPushes: { network: 4 },
  pushes: { network: 8 },
  /** Actors that sign requests to the relay, and their parsed keys; ids of what it has passed on lately. */
  relayActors: { gateway: 4 },
  relaySeen: { gateway: 1 },
  /** Who subscribes to the relay, and what is taken from them. */
  relaySenders: { gateway: 1 },
  /** Sequences in the queues of the relay's lanes; the latest entries of its log, with what is sent of them. */
  queuedRelayed: { network: 6 },
  relayed: { network: 12 },
  preparedRelayed: { network: 12 },
  /** The same for mails. */
  queuedMails: { network: 1 },
  mails: { network: 2 },
  /** The same for webhooks. */
  queuedWebhooks: { network: 1 },
  webhooks: { network: 1 },
  /** Addresses and hosts that recently failed. */
  failedFetches: { network: 17 },
  /** Addresses of remote media that cannot be shown. */
  badMedia: { network: 2 },
} as const satisfies Record<string, { readonly [role: string]: number }>;

export type CacheName = keyof typeof shares;

export interface CachesOptions {
  readonly role: string;
  /** All caches together. */
  readonly bytes: number;
  readonly metrics?: Metrics | undefined;
}

export class Caches {
  private readonly options: CachesOptions;
  private readonly parts: number;

  constructor(options: CachesOptions) {
    this.options = options;
    this.parts = (Object.keys(shares) as CacheName[]).reduce((sum, name) => sum + this.partsOf(name), 0);
  }

  bytesMax(name: CacheName): number {
    const parts = this.partsOf(name);
    return parts === 0 ? 0 : Math.floor((this.options.bytes * parts) / this.parts);
  }

  /** Adds the cache to the metrics. */
  measure(name: CacheName, cache: { readonly bytes: number }): void {
    const { metrics } = this.options;
    if (metrics !== undefined) measureCache(metrics, { name, bytesMax: this.bytesMax(name), bytes: () => cache.bytes });
  }

  private partsOf(name: CacheName): number {
    const parts: { readonly [role: string]: number } = shares[name];
    return parts[this.options.role] ?? 0;
  }
}
