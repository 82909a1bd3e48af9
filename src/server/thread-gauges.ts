/** What gateway and network threads measure beside what every thread does. */
import type { HttpServer } from '../gateway/http/server.ts';
import type { StreamHub } from '../gateway/streaming/hub.ts';
import { type MeasuredCache, measureCache } from '../runtime/metrics/caches.ts';
import { gauge } from '../runtime/metrics/metric.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import type { NetworkRole } from './network-role.ts';

const requestsInFlight = gauge({ name: 'requests_in_flight', help: 'Requests that came in and are not answered' });
const bodiesInFlight = gauge({
  name: 'request_bodies',
  unit: 'bytes',
  help: 'Bodies of requests that are not complete',
});
const streamsOpen = gauge({ name: 'streams', help: 'Open streams of clients, WebSockets and server-sent events' });
const lanesByState = gauge({
  name: 'lanes',
  labels: ['state'],
  help: 'Remote hosts that this thread has had to do with since its start',
});
const deliveriesPending = gauge({ name: 'deliveries_pending', help: 'Deliveries to remote hosts that are known here' });

export interface MeasuredGateway {
  readonly server: Pick<HttpServer<unknown>, 'load'>;
  readonly streams: Pick<StreamHub, 'connectionCount'>;
  readonly caches: readonly MeasuredCache[];
}

export function sampleGateway(metrics: Metrics, { server, streams, caches }: MeasuredGateway): void {
  metrics.sampled(requestsInFlight, [], () => server.load.requests);
  metrics.sampled(bodiesInFlight, [], () => server.load.bodyBytes);
  metrics.sampled(streamsOpen, [], () => streams.connectionCount);
  for (const cache of caches) measureCache(metrics, cache);
}

export function sampleNetwork(metrics: Metrics, { countLanes }: Pick<NetworkRole, 'countLanes'>): void {
  metrics.onSample(() => {
    const { states, pending } = countLanes();
    for (const [state, count] of states) metrics.gauge(lanesByState, state).set(count);
    metrics.gauge(deliveriesPending).set(pending);
  });
}
