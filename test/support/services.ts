/** Services over the partitions of a test, without threads, for operations and endpoints. */
import { expect } from 'vitest';
import type { PageBounds } from '../../src/actors/pages.ts';
import { loadOptions } from '../../src/options/load.ts';
import { Failure } from '../../src/runtime/errors.ts';
import type { Id } from '../../src/runtime/ids.ts';
import { Addresses } from '../../src/services/addresses.ts';
import { EventHub } from '../../src/services/event-hub.ts';
import type { Feeds, HomePage } from '../../src/services/feeds.ts';
import type { Pictures } from '../../src/services/media/pictures.ts';
import { Members } from '../../src/services/members.ts';
import type { PassedOnNetwork } from '../../src/services/passed-on.ts';
import type { RelayNetwork } from '../../src/services/relay.ts';
import type { RevocationBarrier } from '../../src/services/revocation-barrier.ts';
import type { RemoteResolver, Resolved, Services } from '../../src/services/services.ts';
import { TagHistories } from '../../src/services/tag-histories.ts';
import { TimeSlices } from '../../src/services/time-slices.ts';
import { Languages } from '../../src/services/words/languages.ts';
import type { TestServer } from './actors.ts';
import { roomyCaches } from './caches.ts';
import { mergedHome, mergedList } from './merged-home.ts';
import { cleanNothing, clientOf, documentsHere, only } from './only.ts';

export const origin = 'https://here.example';
/** A server that does not answer. */
export const silentHost = 'silent.example';

/** What a test may change while it runs. */
export interface Surroundings {
  /** Handles that other servers know, with the accounts created by looking them up. */
  readonly elsewhere: ReadonlyMap<string, bigint>;
  /** Addresses of remote objects, with what fetching them creates. */
  readonly addresses?: ReadonlyMap<string, Resolved>;
  /** The page that feeds return for every home; undefined for what belongs into it. */
  readonly home: HomePage | Promise<HomePage> | undefined;
  /** The page that feeds return for every list; absent for what its members wrote. */
  readonly list?: HomePage | undefined;
}

const options = loadOptions({ environment: { MURMURATION_ORIGIN: origin }, configurationFolder: 'config' });
const noMails = { sent: 0, failed: 0, refused: 0, tooMany: 0, overwritten: 0 };

function pageOf(ids: readonly bigint[]): HomePage {
  return { ids: BigUint64Array.from(ids), complete: true };
}

export function testServices(server: TestServer, surroundings: Surroundings): Services {
  const caches = roomyCaches();
  const events = new EventHub();
  const now = () => server.clock.now();
  const monotonic = () => server.clock.monotonic();
  return only<Services>('services', {
    // A copy: tests change some of them.
    options: { ...options },
    addresses: new Addresses(origin),
    client: clientOf(server),
    events,
    caches,
    feeds: only<Feeds>('feeds', {
      home: (viewerId: Id, bounds: PageBounds) =>
        surroundings.home ?? pageOf(mergedHome(server.read, viewerId, bounds)),
      list: (listId: Id, bounds: PageBounds) => surroundings.list ?? pageOf(mergedList(server.read, listId, bounds)),
      warmList: () => undefined,
    }),
    get snapshots() {
      return server.read;
    },
    resolver: only<RemoteResolver>('resolver', {
      resolveHandles: async (handles: readonly string[]) =>
        new Map([...surroundings.elsewhere].filter(([handle]) => handles.includes(handle))),
      resolveHandle: async (handle: string) => {
        if (handle.endsWith(`@${silentHost}`)) throw new Failure('remoteUnreachable');
        return surroundings.elsewhere.get(handle);
      },
      resolveAddress: async (address: string) => {
        if (URL.parse(address)?.host === silentHost) throw new Failure('remoteUnreachable');
        return surroundings.addresses?.get(address);
      },
    }),
    relay: only<RelayNetwork>('relay', { lanes: async () => [], examine: async () => [], received: () => undefined }),
    domainLists: {
      try: async () => ({
        ...{ detail: '', domains: 0, unreadable: 0, rows: [] },
        counts: { begins: 0, changes: 0, ends: 0, suggested: 0, nothing: 0 },
      }),
    },
    mail: {
      isOn: false,
      state: async () => ({ to: 'nowhere', lanes: [], counts: noMails }),
      test: async () => ({ isSent: true, outcome: 'taken', dialogue: [] }),
    },
    storage: { state: async () => ({ figures: undefined, isMeasuring: true }) },
    translator: undefined,
    search: undefined,
    cleanHtml: cleanNothing,
    signedDocuments: documentsHere,
    passedOn: only<PassedOnNetwork>('passed on', {}),
    pictures: only<Pictures>('pictures', {}),
    // One gateway: nothing to wait for.
    barrier: only<RevocationBarrier>('barrier', { hasOthers: false }),
    languages: new Languages(),
    tagHistories: new TagHistories({ snapshots: server.read, events, caches, now, monotonic }),
    members: new Members(),
    slices: new TimeSlices(),
    now,
    monotonic,
    report: ({ message }) => expect.fail(message),
  });
}
