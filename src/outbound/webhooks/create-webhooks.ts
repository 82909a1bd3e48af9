/** The lanes that tell webhooks: joins them with the lanes of src/outbound/lanes, on a network thread. */
import { webhookAppended } from '../../actors/partition/partition.events.ts';
import type { NetworkServices } from '../../services/network-services.ts';
import type { RemoteConnections } from '../fetcher/connections.ts';
import { deliver } from '../fetcher/deliver.ts';
import type { Lanes } from '../lanes/lanes.ts';
import { createMeasuredLanes } from '../lanes/measured-lanes.ts';
import { lanePorts } from '../lanes/real-ports.ts';
import type { WebhookDocument, WebhookPorts } from './ports.ts';
import { webhookPolicy } from './webhook-address.ts';
import { WebhookLog } from './webhook-log.ts';
import { WebhookRequests } from './webhook-requests.ts';

type WebhookServices = Pick<
  NetworkServices,
  'options' | 'addresses' | 'snapshots' | 'events' | 'caches' | 'index' | 'count' | 'client' | 'trace'
> &
  Pick<NetworkServices, 'now' | 'monotonic' | 'report'>;

export type WebhookCounters = Pick<WebhookPorts, 'attempted' | 'waitShortened' | 'dropped'>;

export interface WebhookConnections {
  readonly public: RemoteConnections;
  /** These reach private addresses too: for the hosts of `webhookPrivateHosts`. */
  readonly private: RemoteConnections;
}

export function createWebhooks(
  services: WebhookServices,
  connections: WebhookConnections,
  documentOf: WebhookDocument,
  counters: WebhookCounters,
): Lanes {
  const connectionsTo = (url: string): RemoteConnections => {
    const policy = webhookPolicy(url, services);
    return { ...(policy.allowPrivate ? connections.private : connections.public), policy };
  };
  return createWebhookLanes(services, {
    ...lanePorts({ ...services, ...counters }),
    send: (request) => deliver(connectionsTo(request.url), request),
    documentOf,
    dropped: (why) => counters.dropped(why),
    trace: services.trace,
  });
}

export function createWebhookLanes(services: WebhookServices, ports: WebhookPorts): Lanes {
  const { snapshots, client, events, caches, index, count } = services;
  const source = new WebhookRequests({ snapshots, client, ports });
  return createMeasuredLanes({
    logs: snapshots.partitions.map(
      (reader, partition) => new WebhookLog({ partition, reader, source, client, index, count }),
    ),
    events,
    appendedEvent: webhookAppended.number,
    placement: snapshots.placement,
    index,
    caches,
    entries: 'webhooks',
    queues: 'queuedWebhooks',
    ports,
  });
}
