/** Caches for tests, with very large or very small bounds. */
import { type CacheName, Caches } from '../../src/services/caches.ts';

export function roomyCaches(role: 'gateway' | 'network' = 'gateway'): Caches {
  return new Caches({ role, bytes: 256 * 1024 * 1024 });
}

/** Very large caches, and the measured size of each by name. */
export function measuredCaches(): { readonly caches: Caches; bytesOf(name: CacheName): number } {
  const measured = new Map<CacheName, { readonly bytes: number }>();
  const measure: Caches['measure'] = (name, cache) => void measured.set(name, cache);
  return {
    caches: Object.assign(Object.create(roomyCaches()), { measure }),
    bytesOf: (name) => measured.get(name)!.bytes,
  };
}

/** Caches with these bounds in bytes; the others are very large. */
export function cachesOf(bytesMax: Partial<Record<CacheName, number>>): Caches {
  const caches = roomyCaches();
  return Object.assign(Object.create(caches), {
    bytesMax: (name: CacheName) => bytesMax[name] ?? caches.bytesMax(name),
  });
}
