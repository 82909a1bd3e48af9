/** Services over the partitions of a test, without threads: what operations and endpoints work with. */
import { listStatusIds } from '../../src/actors/account/home/home.queries.ts';
import type { PageBounds } from '../../src/actors/pages.ts';
import { Addresses } from '../../src/services/addresses.ts';
import { EventHub } from '../../src/services/event-hub.ts';
import type { HomePage } from '../../src/services/feeds.ts';
import type { Resolved, Services } from '../../src/services/services.ts';
import type { TestServer } from './actors.ts';
import { roomyCaches } from './caches.ts';
import { atOnce } from './merged-home.ts';

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
  return {
    options: { dialect: 'specification', registrations: 'open' },
    addresses: new Addresses(origin),
    client: server,
    events: new EventHub(),
    caches: roomyCaches(),
    feeds: {
      home: () => surroundings.home,
      list: (listId: bigint, bounds: PageBounds) => mergedList(server, listId, bounds),
    },
    get snapshots() {
      return server.read;
    },
    resolver: {
      resolveHandles: async (handles: readonly string[]) =>
        new Map([...surroundings.elsewhere].filter(([handle]) => handles.includes(handle))),
      resolveAddress: async (address: string) => surroundings.addresses?.get(address),
    },
    // One gateway: nothing to wait for.
    barrier: { appliedEverywhere: () => Promise.resolve() },
    now: () => server.clock.now(),
  } as unknown as Services;
}
