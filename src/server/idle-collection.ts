/**
 * Collects garbage of idle threads. V8 collects while a thread allocates; when load ends, garbage and spare heap stay
 * until the next load (measured: a gateway kept 180 MB for 47 MB of objects).
 */
import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const megabyte = 1024 * 1024;

export const idleLimits = {
  lookMilliseconds: 5_000,
  /** A thread counts as idle after this many checks in a row in which it was busy for at most this share of time. */
  busyShareMax: 0.05,
  looks: 3,
  /** A collection takes some 100 ms, so it must be worthwhile. */
  grownBytesMin: 16 * megabyte,
  /**
   * A thorough collection passes over the heap several times: with a larger heap the thread would be silent for too
   * long.
   */
  thoroughBytesMax: 128 * megabyte,
} as const;

export interface IdlePorts {
  /** The share of time since the last check that the thread was busy. */
  busyShare(): number;
  /** The memory of the thread's heap and buffers. */
  heldBytes(): number;
  collect(): void;
}

/** Checks at regular intervals, and collects once after each load. */
export class IdleCollector {
  private readonly ports: IdlePorts;
  private idleLooks = 0;
  private heldAfter: number;

  constructor(ports: IdlePorts) {
    this.ports = ports;
    this.heldAfter = ports.heldBytes();
  }

  look(): void {
    const { busyShareMax, looks, grownBytesMin } = idleLimits;
    this.idleLooks = this.ports.busyShare() <= busyShareMax ? this.idleLooks + 1 : 0;
    if (this.idleLooks < looks || this.ports.heldBytes() < this.heldAfter + grownBytesMin) return;
    this.ports.collect();
    this.heldAfter = this.ports.heldBytes();
    this.idleLooks = 0;
  }
}

/** Runs until the thread ends, without keeping it alive. */
export function collectWhenIdle(lookMilliseconds: number = idleLimits.lookMilliseconds): void {
  let since = performance.eventLoopUtilization();
  const collector = new IdleCollector({
    busyShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, since);
      since = now;
      return utilization;
    },
    heldBytes() {
      const { total_physical_size, external_memory } = getHeapStatistics();
      return total_physical_size + external_memory;
    },
    collect,
  });
  setInterval(() => collector.look(), lookMilliseconds).unref();
}

/** V8 releases memory after its last-resort collection, and keeps most of it after any other. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as NodeJS.GCFunction;
  const isSmall = getHeapStatistics().used_heap_size <= idleLimits.thoroughBytesMax;
  collectGarbage({ type: 'major', execution: 'sync', flavor: isSmall ? 'last-resort' : 'regular' });
}
