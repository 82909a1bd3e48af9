/** CPU and memory of the process. Mapped database pages are reported separately: the system can reclaim them. */
import { readFileSync } from 'node:fs';
import type { ProcessFigures } from '../gateway/operator/machine/sample.ts';
import { gauge } from '../runtime/metrics/metric.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import { systemScheduler } from '../runtime/threads/scheduler.ts';

const memory = gauge({
  name: 'memory',
  unit: 'bytes',
  labels: ['kind'],
  help: 'Resident memory of the process: anonymous (its own), and mapped (pages of files, which the system can reclaim)',
});
const memoryMax = gauge({
  name: 'memory_max',
  unit: 'bytes',
  help: 'What the server may take of its own (MURMURATION_MEMORY): the bounds of its threads and caches add up to it',
});
const cpuSeconds = gauge({ name: 'cpu', unit: 'seconds', help: 'Processor time of the process since its start' });
const cpuWaitSeconds = gauge({
  name: 'cpu_wait',
  unit: 'seconds',
  help: 'Time for which the threads of the process were ready to run and had no processor; 0 where the system does not tell',
});
const uptime = gauge({ name: 'uptime', unit: 'seconds', help: 'Time since the start of the process' });

const statusFile = '/proc/self/status';

/** `memoryBytesMax`: what its bounds add up to. */
export function sampleProcess(metrics: Metrics, memoryBytesMax: number): void {
  metrics.gauge(memoryMax).set(memoryBytesMax);
  const anonymous = metrics.gauge(memory, 'anonymous');
  const mapped = metrics.gauge(memory, 'mapped');
  const read = processReader();
  metrics.onSample(() => {
    const figures = read();
    anonymous.set(figures.anonymousBytes);
    mapped.set(figures.mappedBytes);
    metrics.gauge(cpuSeconds).set(figures.cpuSeconds);
    metrics.gauge(cpuWaitSeconds).set(figures.cpuWaitSeconds);
    metrics.gauge(uptime).set(figures.uptimeSeconds);
  });
}

/** Reads the figures of the process, from whichever of its threads. */
export function processReader(): () => ProcessFigures {
  const scheduler = systemScheduler();
  const waited = (): number => {
    if (scheduler === undefined) return 0;
    const times = scheduler.threadIds().map((id) => scheduler.timesOf(id)?.waitedMilliseconds ?? 0);
    return times.reduce((sum, milliseconds) => sum + milliseconds, 0) / 1_000;
  };
  return () => {
    const { user, system } = process.cpuUsage();
    const { anonymous, mapped } = readResident();
    return {
      uptimeSeconds: process.uptime(),
      cpuSeconds: (user + system) / 1_000_000,
      cpuWaitSeconds: waited(),
      anonymousBytes: anonymous,
      mappedBytes: mapped,
    };
  };
}

/** Only Linux distinguishes them. */
function readResident(): { anonymous: number; mapped: number } {
  if (process.platform !== 'linux') return { anonymous: process.memoryUsage.rss(), mapped: 0 };
  const status = readFileSync(statusFile, 'utf8');
  const bytesOf = (field: string) => Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1_024;
  return { anonymous: bytesOf('RssAnon'), mapped: bytesOf('RssFile') + bytesOf('RssShmem') };
}
