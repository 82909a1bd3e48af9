/**
 * The lanes that deliver activities to inboxes of other servers: joins ActivityPub's part of a delivery with the lanes
 * of src/outbound/lanes.
 *
 * Order, superseding, urgency and expiry: intent-rules.ts. The form of activities: federation/documents.
 */
import { deliveryAppended } from '../../actors/partition/partition.events.ts';
import type { Lanes } from '../../outbound/lanes/lanes.ts';
import { createMeasuredLanes } from '../../outbound/lanes/measured-lanes.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Client } from '../../runtime/threads/client.ts';
import type { Caches } from '../../services/caches.ts';
import type { EventHub } from '../../services/event-hub.ts';
import { ActivityLog } from './activity-log.ts';
import { ActivityRequests } from './activity-requests.ts';
import type { DeliveryPorts } from './ports.ts';
import { type PreparationOptions, PreparedActivities } from './prepared-activities.ts';

export interface ActivityLanesOptions
  extends Pick<PreparationOptions, 'translate' | 'findSigner' | 'followersDigests' | 'signDocument'> {
  readonly caches: Caches;
  readonly snapshots: Pick<Snapshots, 'partitions' | 'placement'>;
  readonly client: Pick<Client, 'call'>;
  readonly events: EventHub;
  readonly ports: DeliveryPorts;
  /** Whether staff have stopped deliveries to the host[:port]. */
  readonly holds?: (host: string) => boolean;
  /** The number of this thread among those that deliver, and how many there are. */
  readonly index: number;
  readonly count: number;
}

export function createActivityLanes(options: ActivityLanesOptions): Lanes {
  const { caches, snapshots, client, events, ports, index, count, holds } = options;
  const { translate, findSigner, followersDigests, signDocument } = options;
  const activities = new PreparedActivities({
    bytesMax: caches.bytesMax('activities'),
    translate,
    findSigner,
    followersDigests,
    signDocument,
    requests: new ActivityRequests(ports),
    report: (problem) => ports.report(problem),
  });
  const lanes = createMeasuredLanes({
    logs: snapshots.partitions.map(
      (reader, partition) => new ActivityLog({ partition, reader, activities, client, index, count }),
    ),
    events,
    appendedEvent: deliveryAppended.number,
    placement: snapshots.placement,
    index,
    caches,
    entries: 'deliveries',
    queues: 'queuedDeliveries',
    ports,
    ...(holds && { holds }),
  });
  caches.measure('activities', activities);
  return lanes;
}
