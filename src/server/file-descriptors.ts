/**
 * File descriptors of the process: connections of clients, sockets to other servers and files share them, and when none is
 * left the system gives the server no further connection and tells it nothing. Only Linux says how many there are.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { counter, gauge } from '../runtime/metrics/metric.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import type { Clock, Problem } from '../runtime/ports.ts';

export const descriptorLimits = {
  /** Below this the start says so: some hundred are the server's own, and each stream and connection takes one. */
  fewMax: 4_096,
  /** Reported while fewer than this are left. */
  leftMin: 32,
  lookMilliseconds: 1_000,
  reportMilliseconds: 60_000,
} as const;

const folder = '/proc/self/fd';

const open = gauge({ name: 'file_descriptors', help: 'Open file descriptors of the process: connections and files' });
const allowed = gauge({ name: 'file_descriptors_max', help: 'File descriptors that the system allows the process' });
const exhausted = counter({
  name: 'file_descriptors_exhausted',
  help: `Looks, one a second, that found fewer than ${descriptorLimits.leftMin} file descriptors left: connections of clients wait or fail`,
});

/** Undefined where the system does not tell, or sets no limit. */
export function descriptorsAllowed(limits = readLimits()): number | undefined {
  const found = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** A sentence for the operator where few are allowed. */
export function adviceOnDescriptors(max: number | undefined): string | undefined {
  if (max === undefined || max >= descriptorLimits.fewMax) return undefined;
  return `The system allows this process ${max} open files and connections: as many clients and streams, less some hundred for the server itself. Allow more with ulimit -n, or LimitNOFILE of systemd.`;
}

export interface DescriptorPorts extends Pick<Clock, 'monotonic'> {
  /** How many are open. */
  open(): number;
  report(problem: Problem): void;
}

/** Looks at intervals, without keeping the process alive. */
export function watchDescriptors(metrics: Metrics, max: number, ports: DescriptorPorts): void {
  const watch = new DescriptorWatch(metrics, max, ports);
  setInterval(() => watch.look(), descriptorLimits.lookMilliseconds).unref();
}

export class DescriptorWatch {
  private readonly metrics: Metrics;
  private readonly max: number;
  private readonly ports: DescriptorPorts;
  private reportedAt = Number.NEGATIVE_INFINITY;
  private unreported = 0;

  constructor(metrics: Metrics, max: number, ports: DescriptorPorts) {
    this.metrics = metrics;
    this.max = max;
    this.ports = ports;
    metrics.gauge(allowed).set(max);
  }

  look(): void {
    const used = this.ports.open();
    this.metrics.gauge(open).set(used);
    if (this.max - used >= descriptorLimits.leftMin) return;
    this.metrics.counter(exhausted).add();
    this.unreported += 1;
    const now = this.ports.monotonic();
    if (now - this.reportedAt < descriptorLimits.reportMilliseconds) return;
    this.ports.report({
      level: 'warn',
      message: `${used} of ${this.max} file descriptors are in use, in ${this.unreported} of the last looks: connections of clients wait or fail. Allow more with ulimit -n, or LimitNOFILE of systemd`,
    });
    this.reportedAt = now;
    this.unreported = 0;
  }
}

/** `max` where so few are left that they cannot even be counted. */
export function descriptorsOpen(max: number): number {
  // Linux 6.2 and newer tell their number as the size of the folder, which needs none.
  const { size } = statSync(folder);
  if (size > 0) return Math.min(size, max);
  try {
    return readdirSync(folder).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EMFILE') return max;
    throw error;
  }
}

function readLimits(): string {
  return process.platform === 'linux' ? readFileSync('/proc/self/limits', 'utf8') : '';
}
