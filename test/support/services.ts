/** Services over the partitions of a test, without threads: what operations and endpoints work with. */
import { expect } from 'vitest';
import { listStatusIds } from '../../src/actors/account/home/home.queries.ts';
import type { PageBounds } from '../../src/actors/pages.ts';
import { loadOptions } from '../../src/options/load.ts';
import { Addresses } from '../../src/services/addresses.ts';
import { EventHub } from '../../src/services/event-hub.ts';
import type { Feeds, HomePage } from '../../src/services/feeds.ts';
import type { RevocationBarrier } from '../../src/services/revocation-barrier.ts';
import type { RemoteResolver, Resolved, Services } from '../../src/services/services.ts';
import { TimeSlices } from '../../src/services/time-slices.ts';
import type { TestServer } from './actors.ts';
import { roomyCaches } from './caches.ts';
import { atOnce } from './merged-home.ts';
import { cleanNothing, clientOf, only } from './only.ts';

export const origin = 'https://here.example';

/** What the test may change meanwhile. */
export interface Surroundings {
  /** Handles that other servers know, and the accounts that looking them up makes. */
  readonly elsewhere: ReadonlyMap<string, bigint>;
  /** Addresses of other servers, and what fetching them makes. */
  readonly addresses?: ReadonlyMap<string, Resolved>;
  /** What the feeds have of every home. */
  readonly home: HomePage | Promise<HomePage>;
}

function mergedList(server: TestServer, listId: bigint, bounds: PageBounds): HomePage {
  const ids = atOnce(listStatusIds(server.read, listId, bounds));
  return { ids: BigUint64Array.from(ids), complete: true };
}

export function testServices(server: TestServer, surroundings: Surroundings): Services {
  return only<Services>('services', {
    // A copy: tests change some of them.
    options: { ...loadOptions({ environment: { MURMURATION_ORIGIN: origin }, configurationFolder: 'config' }) },
    addresses: new Addresses(origin),
    client: clientOf(server),
    events: new EventHub(),
    caches: roomyCaches(),
    feeds: only<Feeds>('feeds', {
      home: () => surroundings.home,
      list: (listId: bigint, bounds: PageBounds) => mergedList(server, listId, bounds),
      warmList: () => undefined,
    }),
    get snapshots() {
      return server.read;
    },
    resolver: only<RemoteResolver>('resolver', {
      resolveHandles: async (handles: readonly string[]) =>
        new Map([...surroundings.elsewhere].filter(([handle]) => handles.includes(handle))),
      resolveAddress: async (address: string) => surroundings.addresses?.get(address),
    }),
    translator: undefined,
    cleanHtml: cleanNothing,
    // One gateway: nothing to wait for.
    barrier: only<RevocationBarrier>('barrier', { appliedEverywhere: () => Promise.resolve() }),
    slices: new TimeSlices(),
    now: () => server.clock.now(),
    report: ({ message }) => expect.fail(message),
  });
}
