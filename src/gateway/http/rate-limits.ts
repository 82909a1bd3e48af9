/**
 * Rate limits of the Mastodon API, one declaration each. Windows are fixed and begin at multiples of their length, so
 * the time of the reset is the same for all keys and is rendered once.
 */
import { operationRateLimits, type RateLimit } from '../../operations/rate-limits.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import { allocateCounters, CounterTable } from './counter-table.ts';

/**
 * `api` counts every request to an endpoint; other classes count in addition. Those of operations count what they do.
 */
export const rateLimitClasses = {
  api: { per: 'account', countMax: 300, windowMinutes: 5 },
  token: { per: 'address', countMax: 60, windowMinutes: 5 },
  ...operationRateLimits,
} as const satisfies Record<string, Omit<RateLimit, 'counts'>>;

export type RateLimitClass = keyof typeof rateLimitClasses;

const unitMinutes = 5;
const unitMilliseconds = unitMinutes * 60_000;
const classNames = Object.keys(rateLimitClasses);

interface Window {
  readonly number: number;
  readonly declaration: Omit<RateLimit, 'counts'>;
  /** The current window as a unit number, its end in units, and that moment in ISO 8601. */
  unit: number;
  end: number;
  resetText: string;
}

/** Shared by all gateway threads: created by the main thread. */
export interface RateLimitMemory {
  readonly counters: SharedArrayBuffer;
  /** Makes the slots of keys unpredictable for clients that can choose keys. */
  readonly seed: readonly [number, number];
}

export function createRateLimitMemory(): RateLimitMemory {
  const [first = 0, second = 0] = crypto.getRandomValues(new Int32Array(2));
  return { counters: allocateCounters(), seed: [first, second] };
}

/** What is limited: an account id, or the key of an address (see addressLimitKey). */
export type LimitedKey = bigint | string;

export class RateLimits {
  private readonly table: CounterTable;
  private readonly seed: readonly [number, number];
  private readonly now: () => number;
  private readonly windows = new Map<string, Window>();
  private readonly idWord = new BigUint64Array(1);
  private readonly idHalves = new Int32Array(this.idWord.buffer);
  private position = 0;
  private fingerprint = 0;

  /** `now` gives milliseconds since 1970. */
  constructor(memory: RateLimitMemory, now: () => number = systemClock.now) {
    this.table = new CounterTable(memory.counters);
    this.seed = memory.seed;
    this.now = now;
    classNames.forEach((name, number) => {
      const declaration = rateLimitClasses[name as RateLimitClass];
      if (declaration.windowMinutes % unitMinutes !== 0) throw new Error(`The window of ${name} is no multiple of 5`);
      this.windows.set(name, { number, declaration, unit: -1, end: 0, resetText: '' });
    });
  }

  /** Counts one and returns how many are left; negative above the limit. */
  take(name: RateLimitClass, key: LimitedKey): number {
    const window = this.currentWindow(name);
    this.hash(window.number, key);
    return window.declaration.countMax - this.table.add(this.position, this.fingerprint, window.unit, window.end);
  }

  /** How many are left, without counting. */
  remaining(name: RateLimitClass, key: LimitedKey): number {
    const window = this.currentWindow(name);
    this.hash(window.number, key);
    return window.declaration.countMax - this.table.read(this.position, this.fingerprint, window.end);
  }

  /** The end of the current window of a class, in ISO 8601. */
  resetText(name: RateLimitClass): string {
    return this.currentWindow(name).resetText;
  }

  private currentWindow(name: RateLimitClass): Window {
    const window = this.windows.get(name)!;
    const unit = Math.floor(this.now() / unitMilliseconds);
    if (window.unit !== unit) {
      const units = window.declaration.windowMinutes / unitMinutes;
      window.unit = unit;
      window.end = (Math.floor(unit / units) + 1) * units;
      window.resetText = new Date(window.end * unitMilliseconds).toISOString();
    }
    return window;
  }

  /** Two independent 32-bit hashes of class and key, returned in `position` and `fingerprint`. */
  private hash(classNumber: number, key: LimitedKey): void {
    this.position = this.seed[0] ^ classNumber;
    this.fingerprint = this.seed[1] ^ (classNumber << 8);
    if (typeof key === 'string') {
      for (let index = 0; index < key.length; index += 1) this.mix(key.charCodeAt(index));
    } else {
      this.idWord[0] = key;
      this.mix(this.idHalves[0]!);
      this.mix(this.idHalves[1]!);
    }
    this.position = scramble(this.position);
    this.fingerprint = scramble(this.fingerprint);
  }

  private mix(word: number): void {
    this.position = rotate(Math.imul(this.position ^ word, 0x9e3779b1));
    this.fingerprint = rotate(Math.imul(this.fingerprint + word, 0x85ebca77));
  }
}

function rotate(word: number): number {
  return (word << 13) | (word >>> 19);
}

function scramble(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0xc2b2ae3d);
  return once ^ (once >>> 15);
}
