/** How the played servers answer what is delivered to them, and which of them does what. */
import type { Demand } from './verification.ts';

export const behaviours = ['healthy', 'slow', 'strict', 'modern', 'failing', 'stalling', 'dead'] as const;
export type Behaviour = (typeof behaviours)[number];

/** In the words of --help. */
export const behaviourWords: Readonly<Record<Behaviour, string>> = {
  healthy: 'takes everything at once, signatures for all included, as Mastodon does',
  slow: 'takes everything late',
  strict: 'demands a signature made for its host',
  modern: 'takes RFC 9421 only',
  failing: 'answers 503',
  stalling: 'takes requests and never answers',
  dead: 'refuses connections',
};

/** Those that answer, in their way, and are to get everything. */
export function isWell(behaviour: Behaviour): boolean {
  return behaviour === 'healthy' || behaviour === 'slow' || behaviour === 'strict' || behaviour === 'modern';
}

export function demandOf(behaviour: Behaviour): Demand {
  if (behaviour === 'strict') return 'own host';
  return behaviour === 'modern' ? 'rfc9421' : 'any';
}

/** Of each server: as many of a kind as its share says, spread evenly; all others are healthy. */
export function assignBehaviours(servers: number, shares: Readonly<Partial<Record<Behaviour, number>>>): Behaviour[] {
  const assigned: Behaviour[] = Array.from({ length: servers }, () => 'healthy');
  const free = Array.from({ length: servers }, (_, number) => number);
  for (const [behaviour, share = 0] of Object.entries(shares) as [Behaviour, number | undefined][]) {
    const count = Math.min(free.length, Math.round(servers * share));
    const step = free.length / Math.max(1, count);
    const chosen = Array.from({ length: count }, (_, index) => free[Math.floor(index * step)]!);
    for (const number of chosen) {
      assigned[number] = behaviour;
      free.splice(free.indexOf(number), 1);
    }
  }
  return assigned;
}
