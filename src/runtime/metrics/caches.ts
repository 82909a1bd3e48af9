/** Metrics of caches, rings and maps: what each holds, beside its bound. */
import { gauge } from './metric.ts';
import type { Metrics } from './metrics.ts';

const cacheBytes = gauge({ name: 'cache', unit: 'bytes', labels: ['cache'], help: 'Bytes held by a cache' });
const cacheBytesMax = gauge({ name: 'cache_max', unit: 'bytes', labels: ['cache'], help: 'Bound of a cache in bytes' });

export interface MeasuredCache {
  readonly name: string;
  readonly bytesMax: number;
  bytes(): number;
}

export function measureCache(metrics: Metrics, { name, bytesMax, bytes }: MeasuredCache): void {
  metrics.gauge(cacheBytesMax, name).set(bytesMax);
  metrics.sampled(cacheBytes, [name], bytes);
}
