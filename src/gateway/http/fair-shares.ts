/**
 * Who may change something while more is asked for than can be done. Whoever was served just now is refused first, so
 * that a person who posts for the first time in a minute is served at once, and those who ask all the time share the
 * rest equally.
 *
 * Everybody, by token or address, is served once in an interval, which grows while the queue is long and shrinks while
 * it is short. Nothing is remembered of anybody while there is no queue.
 */
import { threadLimits } from '../../runtime/limits.ts';
import { addressLimitKey } from '../../services/address-limit-key.ts';
import { httpLimits } from './limits.ts';
import type { IncomingRequest } from './request.ts';

export const fairShareLimits = {
  /** The wait that is aimed at: there is enough to do at any moment, and it ends in time. */
  waitMilliseconds: threadLimits.callWaitMillisecondsMax / 2,
  adjustMilliseconds: 100,
  /** By how much the interval changes at a time, where the wait is nothing or twice what is aimed at. */
  changeMax: 0.1,
  intervalMillisecondsMin: 250,
  intervalMillisecondsMax: 60_000,
  /** Of whom it is known when they were served; above it those of longest ago are forgotten. */
  knownMax: 40_000,
  /** A server asks for many people. */
  serverWeight: 16,
} as const;

/** Who asks, and how often in an interval. */
export interface Asker {
  readonly name: string;
  readonly weight: number;
}

/** By the token, as it was sent; else by the address. */
export function askerOf(request: Pick<IncomingRequest, 'header' | 'ip' | 'path'>): Asker {
  const token = request.header('authorization') ?? '';
  if (token !== '') return { name: token.slice(0, httpLimits.tokenCharactersMax), weight: 1 };
  const isServer = request.path.endsWith('/inbox');
  return { name: addressLimitKey(request.ip), weight: isServer ? fairShareLimits.serverWeight : 1 };
}

export class FairShares {
  private interval = 0;
  private adjustedAt = 0;
  /** When each was served, the latest last: a service renews the place. */
  private readonly servedAt = new Map<string, number>();

  /**
   * Whether a request is served that would wait for so long. `now` is monotonic; `askerOf` is called only
   * where it matters who asks.
   */
  admits(waitMilliseconds: number, now: number, askerOf: () => Asker): boolean {
    if (this.interval === 0 && waitMilliseconds <= fairShareLimits.waitMilliseconds) return true;
    this.adjust(waitMilliseconds, now);
    if (waitMilliseconds > threadLimits.callWaitMillisecondsMax) return false;
    if (this.interval === 0) return true;
    const { name, weight } = askerOf();
    const servedAt = this.servedAt.get(name);
    if (servedAt !== undefined && servedAt > now - this.interval / weight) return false;
    this.note(name, now);
    return true;
  }

  /** Whether some are refused, now that a request would wait for so long. */
  isSharing(waitMilliseconds: number, now: number): boolean {
    if (this.interval > 0) this.adjust(waitMilliseconds, now);
    return this.interval > 0 || waitMilliseconds > threadLimits.callWaitMillisecondsMax;
  }

  private adjust(waitMilliseconds: number, now: number): void {
    const { adjustMilliseconds, intervalMillisecondsMin, intervalMillisecondsMax, changeMax } = fairShareLimits;
    const steps = this.interval === 0 ? 1 : Math.floor((now - this.adjustedAt) / adjustMilliseconds);
    if (steps === 0) return;
    this.adjustedAt = now;
    const excess = Math.min(waitMilliseconds / fairShareLimits.waitMilliseconds - 1, 1);
    this.interval = Math.min(this.interval * (1 + changeMax * excess) ** steps, intervalMillisecondsMax);
    if (excess > 0) this.interval = Math.max(this.interval, intervalMillisecondsMin);
    if (this.interval >= intervalMillisecondsMin) return;
    this.interval = 0;
    this.servedAt.clear();
  }

  private note(name: string, now: number): void {
    this.servedAt.delete(name);
    this.servedAt.set(name, now);
    const [oldest] = this.servedAt.keys();
    if (oldest !== undefined && this.servedAt.size > fairShareLimits.knownMax) this.servedAt.delete(oldest);
  }
}
