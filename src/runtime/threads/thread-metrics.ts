/** Metrics that every thread has. */
import { getHeapStatistics } from 'node:v8';
import { gauge, histogram, secondsBuckets } from '../metrics/metric.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Link } from './link.ts';

const eventLoopDelay = histogram({
  name: 'event_loop_delay',
  unit: 'seconds',
  help: 'Delay of timers: how long work waits for the event loop of the thread',
  buckets: secondsBuckets.filter((seconds) => seconds >= 0.001),
});
const heapUsed = gauge({ name: 'heap_used', unit: 'bytes', help: 'Heap of the thread that is in use' });
const heapReserved = gauge({ name: 'heap_reserved', unit: 'bytes', help: 'Heap of the thread' });
const externalMemory = gauge({
  name: 'external_memory',
  unit: 'bytes',
  help: 'Buffers outside of the heap of the thread',
});
const linkMessages = gauge({
  name: 'link_unread_messages',
  labels: ['to'],
  help: 'Messages sent to another thread and not read by it yet',
});
const linkBytes = gauge({
  name: 'link_unread',
  unit: 'bytes',
  labels: ['to'],
  help: 'Approximate size of the messages that another thread has not read yet',
});

const sampleMilliseconds = 250;

/** Samples at intervals until the thread ends, without keeping it alive. */
export function startSampling(metrics: Metrics, links: () => Iterable<Link>): void {
  const delay = metrics.histogram(eventLoopDelay);
  metrics.onSample(heapSampler(metrics));
  metrics.onSample(() => {
    for (const { peer, backlog } of links()) {
      const to = `${peer.role} ${peer.index}`;
      metrics.gauge(linkMessages, to).set(backlog.messagesUnread);
      metrics.gauge(linkBytes, to).set(backlog.bytesUnread);
    }
  });
  let expected = performance.now() + sampleMilliseconds;
  setInterval(() => {
    const now = performance.now();
    delay.observe(Math.max(0, now - expected) / 1_000);
    expected = now + sampleMilliseconds;
    metrics.sample();
  }, sampleMilliseconds).unref();
}

function heapSampler(metrics: Metrics): () => void {
  const used = metrics.gauge(heapUsed);
  const reserved = metrics.gauge(heapReserved);
  const external = metrics.gauge(externalMemory);
  return () => {
    const heap = getHeapStatistics();
    used.set(heap.used_heap_size);
    reserved.set(heap.total_physical_size);
    external.set(heap.external_memory);
  };
}
