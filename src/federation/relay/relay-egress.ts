/**
 * Paces what the relay sends, by options: bytes a second in total, and to each subscriber. A request that would exceed its
 * share waits for its turn, and holds the place of one connection of its lane meanwhile; what waits for too long in the log
 * is dropped by its age, as for any slow subscriber.
 */
import type { LanePorts } from '../../outbound/lanes/ports.ts';
import { SizedMap } from '../../runtime/sized-map.ts';

/** Bytes a second of one network thread; 0 for no limit. */
export interface EgressLimits {
  readonly total: number;
  readonly perSubscriber: number;
}

/** A second may be used up at once. */
const burstMilliseconds = 1_000;
/** About the memory of one subscriber. */
const entryBytes = 64;
const rememberedBytesMax = 4 * 1024 * 1024;

export class RelayEgress {
  private readonly limits: EgressLimits;
  private readonly ports: Pick<LanePorts, 'monotonic' | 'schedule'>;
  /** When all that was let through is sent at the rate of the limit: in total, and by subscriber. */
  private sentAt = Number.NEGATIVE_INFINITY;
  private readonly sentTo = new SizedMap<number, number>({ bytesMax: rememberedBytesMax, bytesOf: () => entryBytes });

  constructor(limits: EgressLimits, ports: RelayEgress['ports']) {
    this.limits = limits;
    this.ports = ports;
  }

  /** Undefined where nothing has to be waited for. */
  turnOf(subscriber: number, bytes: number): Promise<void> | undefined {
    const { total, perSubscriber } = this.limits;
    if (total === 0 && perSubscriber === 0) return undefined;
    const now = this.ports.monotonic();
    this.sentAt = afterSending(this.sentAt, now, bytes, total);
    const sentTo = afterSending(this.sentTo.get(subscriber) ?? now, now, bytes, perSubscriber);
    if (perSubscriber > 0) this.sentTo.set(subscriber, sentTo);
    const wait = Math.max(this.sentAt, sentTo) - now - burstMilliseconds;
    if (wait <= 0) return undefined;
    return new Promise((resolve) => void this.ports.schedule(Math.ceil(wait), resolve));
  }
}

function afterSending(before: number, now: number, bytes: number, bytesPerSecond: number): number {
  if (bytesPerSecond === 0) return now;
  return Math.max(before, now) + (bytes * 1_000) / bytesPerSecond;
}
