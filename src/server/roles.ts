/**
 * The roles of the server's threads: a row each, from which the number of threads, memory, caches, pools, links, start
 * and stop derive. A further role is a row here and the entry that it names; what it caches is added to
 * services/caches.ts.
 */
import type { RoleMemory } from '../options/memory.ts';
import { threadsByOption, type WantedThreads } from '../options/threads.ts';
import type { Role } from '../runtime/threads/role.ts';
import type { Thread } from '../runtime/threads/thread.ts';
import { searchLimits } from '../services/search/limits.ts';
import { collectWhenIdle } from './idle-collection.ts';
import { type PoolName, pools } from './pools.ts';
import type { Shared } from './shared.ts';

const megabyte = 1024 * 1024;

export interface RoleRow extends Omit<Role, 'name' | 'count' | 'heapBytesMax'> {
  readonly threads: WantedThreads;
  /** One thread of it also runs for a single command of the operator. */
  readonly servesCommands: boolean;
  readonly memory: RoleMemory;
  readonly pools: readonly PoolName[];
  /** Runs a thread of it; loads what that needs. */
  run(thread: Thread<Shared>, pools: readonly PoolName[]): Promise<void>;
}

/** In the order of their start. Sixteen cores run 8 owners, 4 gateways and 2 network threads; two run one of each. */
export const roles = {
  /** Own the partitions: actors run here. Stopped last, so that nothing acknowledged is lost. */
  owner: {
    threads: threadsByOption('owners', 2),
    servesCommands: true,
    loadsEarly: true,
    stopOrder: 3,
    linkedTo: ['owner', 'gateway', 'network'],
    answersOperator: false,
    isTerminable: true,
    memory: { workingBytes: 70 * megabyte, cacheParts: 0, bodyShare: 0 },
    pools: [],
    run: async (thread) => (await import('./owner-thread.ts')).runOwner(thread),
  },
  /** Serve clients and other servers. */
  gateway: {
    threads: threadsByOption('gateways', 4),
    servesCommands: true,
    loadsEarly: true,
    stopOrder: 1,
    linkedTo: ['gateway', 'network'],
    answersOperator: true,
    isTerminable: false,
    memory: { workingBytes: 120 * megabyte, cacheParts: 60, bodyShare: 0.125 },
    /**
     * V8 would let it grow to 48 MB, and a scavenge takes as long as there are survivors: up to 7 ms of CPU beside long
     * threads, 4 ms with this size. Half of it would make posts cost a tenth more (measured: bench/README.md, neighbours).
     */
    youngBytesMax: 24 * megabyte,
    pools: ['html'],
    run: async (thread, names) => (await import('./gateway-thread.ts')).runGateway(thread, names),
  },
  /** Ask other servers: effects, lanes, questions of gateways. */
  network: {
    threads: threadsByOption('networkThreads', 8),
    servesCommands: true,
    loadsEarly: false,
    stopOrder: 2,
    linkedTo: ['network'],
    answersOperator: false,
    isTerminable: true,
    memory: { workingBytes: 40 * megabyte, cacheParts: 10, bodyShare: 0 },
    pools: ['html', 'media', 'films'],
    run: async (thread, names) => (await import('./network-thread.ts')).runNetwork(thread, names),
  },
  /** Has the index of the text of statuses. */
  search: {
    threads: ({ search }) => Number(search),
    servesCommands: false,
    loadsEarly: false,
    stopOrder: 2,
    linkedTo: ['owner', 'gateway', 'network'],
    answersOperator: false,
    isTerminable: true,
    memory: { workingBytes: 24 * megabyte + searchLimits.pageCacheBytes, cacheParts: 0, bodyShare: 0 },
    /** A service of every thread, idle here. */
    pools: ['html'],
    run: async (thread, names) => (await import('./search-thread.ts')).runSearch(thread, names),
  },
} as const satisfies Record<string, RoleRow>;

export type RoleName = keyof typeof roles;
const roleRows: Readonly<Record<RoleName, RoleRow>> = roles;

function ofEach<Value>(value: (row: RoleRow, name: RoleName) => Value): Record<RoleName, Value> {
  const entries = (Object.keys(roles) as RoleName[]).map((name) => [name, value(roleRows[name], name)]);
  return Object.fromEntries(entries) as Record<RoleName, Value>;
}

export const wantedThreads = ofEach(({ threads }) => threads);

/** With the workers of its pools. */
export const roleMemory = ofEach(({ memory, pools: names }) => {
  const ofPools = names.reduce((sum, name) => sum + pools[name].workingBytes, 0);
  return { ...memory, workingBytes: memory.workingBytes + ofPools };
});

/**
 * Of every thread of a server that is nothing but a relay. By default V8 keeps two times 16 MB of young objects in each busy
 * thread, a third of all that such a server needs (measured: bench/findings.md, a relay's memory).
 */
const relayYoungBytesMax = 12 * megabyte;

interface RoleLimits {
  readonly heapBytesMax: number;
  readonly isOnlyRelay: boolean;
}

/** `counts`: of a server; undefined for the few threads of a single command. */
export function supervisedRoles(
  counts: Readonly<Record<RoleName, number>> | undefined,
  { heapBytesMax, isOnlyRelay }: RoleLimits,
): Role[] {
  return Object.values(
    ofEach((row, name) => {
      const { loadsEarly, stopOrder, linkedTo, answersOperator, isTerminable, servesCommands } = row;
      const youngBytesMax = isOnlyRelay ? relayYoungBytesMax : row.youngBytesMax;
      const count = counts?.[name] ?? Number(servesCommands);
      return {
        name,
        count,
        loadsEarly,
        stopOrder,
        linkedTo,
        answersOperator,
        isTerminable,
        heapBytesMax,
        youngBytesMax,
      };
    }),
  );
}

export async function runRole(thread: Thread<Shared>): Promise<void> {
  const row = roleRows[thread.name.role as RoleName];
  await row.run(thread, row.pools);
  collectWhenIdle();
}
