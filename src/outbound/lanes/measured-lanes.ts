/** Lanes whose memory is bounded and measured by the caches of their thread. */
import type { CacheName, Caches } from '../../services/caches.ts';
import { Lanes, type LanesOptions } from './lanes.ts';

export interface MeasuredLanesOptions extends Omit<LanesOptions, 'entryBytesMax' | 'queueBytesMax'> {
  readonly caches: Pick<Caches, 'bytesMax' | 'measure'>;
  /** The rows of services/caches.ts for entries in memory and for queues. */
  readonly entries: CacheName;
  readonly queues: CacheName;
}

export function createMeasuredLanes({ caches, entries, queues, ...options }: MeasuredLanesOptions): Lanes {
  const bounds = { entryBytesMax: caches.bytesMax(entries), queueBytesMax: caches.bytesMax(queues) };
  const lanes = new Lanes({ ...options, ...bounds });
  caches.measure(queues, lanes.queues);
  caches.measure(entries, lanes);
  return lanes;
}
