/** Metrics of gateway and network threads, besides those of every thread. */

import type { HttpServer } from '../gateway/http/server.ts';
import type { StreamHub } from '../gateway/streaming/hub.ts';
import { verdicts } from '../outbound/lanes/outcome.ts';
import { counter, gauge } from '../runtime/metrics/metric.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import type { Problem } from '../runtime/ports.ts';
import type { Client } from '../runtime/threads/client.ts';
import type { LaneCounters, NetworkRole } from './network-role.ts';

const connectionsOpen = gauge({
  name: 'http_connections',
  help: 'Open HTTP connections, without WebSockets',
});
const requestsInFlight = gauge({ name: 'requests_in_flight', help: 'Requests that are not answered yet' });
const bodiesInFlight = gauge({
  name: 'request_bodies',
  unit: 'bytes',
  help: 'Bytes received of incomplete request bodies',
});
const filesReceived = gauge({ name: 'uploads', help: 'Forms with files that are being received' });
const uploadsUnwritten = gauge({
  name: 'uploads_unwritten',
  unit: 'bytes',
  help: 'Memory of uploads that are not written to disk yet',
});
const filesSent = gauge({ name: 'downloads', help: 'Files that are being sent' });
const overloaded = gauge({
  name: 'overloaded',
  help: '1 while requests that change something are refused because of overload',
});
const streamsOpen = gauge({ name: 'streams', help: 'Open streams of clients, WebSockets and server-sent events' });
const lanesByState = gauge({
  name: 'lanes',
  labels: ['state'],
  help: 'Delivery lanes (remote hosts) of this thread, by state',
});
const deliveriesPending = gauge({
  name: 'deliveries_pending',
  help: 'Pending deliveries in the queues of this thread',
});

const deliveryAttempts = counter({
  name: 'delivery_attempts',
  labels: ['outcome'],
  help: 'Delivery requests to remote hosts, by outcome',
});

const waitsShortened = counter({
  name: 'delivery_waits_shortened',
  help: 'Waits of failing remote hosts that were shortened because a signed request of the host was verified',
});

export interface MeasuredGateway {
  readonly server: Pick<HttpServer<unknown>, 'load' | 'files'>;
  readonly streams: Pick<StreamHub, 'connectionCount'>;
  readonly client: Pick<Client, 'isOverloaded'>;
  report(problem: Problem): void;
}

/** One line at the beginning and one at the end; refusals are counted. */
const overloadSentence: Readonly<Record<string, string>> = {
  true: 'overloaded: requests that change something are refused with 503',
  false: 'no longer overloaded',
};

export function sampleGateway(metrics: Metrics, { server, streams, client, report }: MeasuredGateway): void {
  let wasOverloaded = false;
  metrics.sampled(overloaded, [], () => {
    const { isOverloaded } = client;
    if (isOverloaded !== wasOverloaded) report({ level: 'warn', message: overloadSentence[String(isOverloaded)]! });
    wasOverloaded = isOverloaded;
    return isOverloaded ? 1 : 0;
  });
  metrics.sampled(connectionsOpen, [], () => server.load.connections);
  metrics.sampled(requestsInFlight, [], () => server.load.requests);
  metrics.sampled(bodiesInFlight, [], () => server.load.bodyBytes);
  metrics.sampled(filesReceived, [], () => server.files.received);
  metrics.sampled(uploadsUnwritten, [], () => server.files.unwrittenBytes);
  metrics.sampled(filesSent, [], () => server.files.sent);
  metrics.sampled(streamsOpen, [], () => streams.connectionCount);
}

export function sampleNetwork(metrics: Metrics, { countLanes }: Pick<NetworkRole, 'countLanes'>): void {
  metrics.onSample(() => {
    const { states, pending } = countLanes();
    for (const [state, count] of states) metrics.gauge(lanesByState, state).set(count);
    metrics.gauge(deliveriesPending).set(pending);
  });
}

export function countDeliveries(metrics: Metrics): LaneCounters {
  const attempts = new Map(verdicts.map((verdict) => [verdict, metrics.counter(deliveryAttempts, verdict)]));
  const shortened = metrics.counter(waitsShortened);
  return {
    attempted: (verdict) => attempts.get(verdict)!.add(),
    waitShortened: () => shortened.add(),
  };
}
