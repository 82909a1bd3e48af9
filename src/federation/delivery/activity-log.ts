/** The delivery log of one partition, as its lanes read it. */
import {
  deliveriesAfter,
  findDelivery,
  findHostNumber,
  findLaneState,
  hostOfNumber,
  type LoggedDelivery,
  newestDelivery,
  visitHosts,
} from '../../actors/partition/deliveries.queries.ts';
import { PartitionActor } from '../../actors/partition/partition.messages.ts';
import type { LaneState } from '../../actors/partition/partition.records.ts';
import type { AddressedEntry, DeliveryLog, LogProgress } from '../../outbound/lanes/log.ts';
import type { Client } from '../../runtime/threads/client.ts';
import { ActivityEntry, type ActivitySource } from './activity-entry.ts';

export interface ActivityLogOptions extends ActivitySource {
  readonly partition: number;
  /** The number of this network thread, and how many there are. */
  readonly index: number;
  readonly count: number;
  readonly client: Pick<Client, 'call'>;
}

export class ActivityLog implements DeliveryLog {
  private readonly options: ActivityLogOptions;

  constructor(options: ActivityLogOptions) {
    this.options = options;
  }

  newest(): number {
    return newestDelivery(this.options.reader);
  }

  entriesAfter(sequence: number, limit: number): AddressedEntry[] {
    return deliveriesAfter(this.options.reader, sequence, limit).map((delivery) => this.addressed(delivery));
  }

  find(sequence: number): ActivityEntry | undefined {
    const delivery = findDelivery(this.options.reader, sequence);
    return delivery === undefined ? undefined : new ActivityEntry(delivery, this.options);
  }

  hostOf(number: number): string | undefined {
    return hostOfNumber(this.options.reader, number);
  }

  numberOf(host: string): number | undefined {
    return findHostNumber(this.options.reader, host);
  }

  laneState(number: number): LaneState | undefined {
    return findLaneState(this.options.reader, number);
  }

  store({ lanes, floor }: LogProgress): Promise<{ more: boolean }> {
    const { client, partition, index, count } = this.options;
    const message = PartitionActor.progressed.to(BigInt(partition), { reader: index, readers: count, lanes, floor });
    return client.call(message, 'system');
  }

  private addressed(delivery: LoggedDelivery): AddressedEntry {
    return {
      entry: new ActivityEntry(delivery, this.options),
      visitHosts(visit) {
        visitHosts(delivery, visit);
        for (const { host } of delivery.single) visit(host);
        return delivery.hosts.byteLength / 4 + delivery.single.length;
      },
    };
  }
}
