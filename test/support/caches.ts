/** Caches for tests: those that are never full, and those that are soon. */
import { type CacheName, Caches } from '../../src/services/caches.ts';

export function roomyCaches(role: 'gateway' | 'network' = 'gateway'): Caches {
  return new Caches({ role, bytes: 256 * 1024 * 1024 });
}

/** With these bounds, in bytes; the others are roomy. */
export function cachesOf(bytesMax: Partial<Record<CacheName, number>>): Caches {
  const caches = roomyCaches();
  return Object.assign(Object.create(caches), {
    bytesMax: (name: CacheName) => bytesMax[name] ?? caches.bytesMax(name),
  });
}
