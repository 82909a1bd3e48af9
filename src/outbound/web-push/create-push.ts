/** The lanes that send push messages: joins web push with the lanes of src/outbound/lanes, on a network thread. */
import { pushAppended } from '../../actors/partition/partition.events.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { NetworkServices } from '../../services/network-services.ts';
import type { RemoteConnections } from '../fetcher/connections.ts';
import { deliver } from '../fetcher/deliver.ts';
import type { Lanes } from '../lanes/lanes.ts';
import { createMeasuredLanes } from '../lanes/measured-lanes.ts';
import { lanePorts } from '../lanes/real-ports.ts';
import type { PushPorts } from './ports.ts';
import { PushLog } from './push-log.ts';
import { PushMessages } from './push-messages.ts';

type PushServices = Pick<
  NetworkServices,
  | ('options' | 'addresses' | 'languages' | 'snapshots' | 'events' | 'caches' | 'index' | 'count')
  | ('client' | 'members' | 'now' | 'monotonic' | 'report' | 'trace')
>;

export type PushCounters = Pick<PushPorts, 'attempted' | 'waitShortened' | 'dropped'>;

/** `privateConnections` reach private addresses too: for the hosts of `pushPrivateHosts`. */
export function createPush(
  services: PushServices,
  connections: RemoteConnections,
  privateConnections: RemoteConnections,
  counters: PushCounters,
): Lanes {
  const privateHosts = new Set(services.options.pushPrivateHosts);
  const connectionsTo = (url: string) => {
    const { host, hostname } = new URL(url);
    return privateHosts.has(host) || privateHosts.has(hostname) ? privateConnections : connections;
  };
  return createPushLanes(services, {
    ...lanePorts({ ...services, ...counters }),
    send: (request) => deliver(connectionsTo(request.url), request),
    dropped: (why) => counters.dropped(why),
    trace: services.trace,
  });
}

export function createPushLanes(services: PushServices, ports: PushPorts): Lanes {
  const { options, addresses, languages, snapshots, client, events, caches, index, count } = services;
  const source = new PushMessages({
    snapshots,
    client,
    addresses,
    languages,
    contact: options.contactEmail === undefined ? addresses.origin : `mailto:${options.contactEmail}`,
    ports,
    secrets: () => secretsOf(services),
  });
  return createMeasuredLanes({
    logs: snapshots.partitions.map(
      (reader, partition) => new PushLog({ partition, reader, source, client, index, count }),
    ),
    events,
    appendedEvent: pushAppended.number,
    placement: snapshots.placement,
    index,
    caches,
    entries: 'pushes',
    queues: 'queuedPushes',
    ports,
  });
}
