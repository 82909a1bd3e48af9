/** The push log of one partition, as its lanes read it. */
import { findHostNumber, hostOfNumber } from '../../actors/partition/deliveries.queries.ts';
import { PartitionActor } from '../../actors/partition/partition.messages.ts';
import type { LaneState } from '../../actors/partition/partition.records.ts';
import {
  findPush,
  findPushLane,
  type LoggedPush,
  newestPush,
  pushesAfter,
} from '../../actors/partition/pushes.queries.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Client } from '../../runtime/threads/client.ts';
import type { AddressedEntry, DeliveryLog, LogEntry, LogProgress } from '../lanes/log.ts';
import { MissingEntry } from '../lanes/missing-entry.ts';
import { PushEntry, type PushSource } from './push-entry.ts';

export interface PushLogOptions {
  readonly partition: number;
  /** Of the partition. */
  readonly reader: Reader;
  readonly source: PushSource;
  /** The number of this network thread, and how many there are. */
  readonly index: number;
  readonly count: number;
  readonly client: Pick<Client, 'call'>;
}

export class PushLog implements DeliveryLog {
  private readonly options: PushLogOptions;

  constructor(options: PushLogOptions) {
    this.options = options;
  }

  newest(): number {
    return newestPush(this.options.reader);
  }

  entriesAfter(sequence: number, limit: number): AddressedEntry[] {
    return pushesAfter(this.options.reader, sequence, limit).map((push) => this.addressed(push));
  }

  find(sequence: number): LogEntry {
    const push = findPush(this.options.reader, sequence);
    return push === undefined
      ? new MissingEntry(sequence, () => this.options.source.overwritten())
      : new PushEntry(push, this.options.source);
  }

  hostOf(number: number): string | undefined {
    return hostOfNumber(this.options.reader, number);
  }

  numberOf(host: string): number | undefined {
    return findHostNumber(this.options.reader, host);
  }

  laneState(number: number): LaneState | undefined {
    return findPushLane(this.options.reader, number);
  }

  store({ lanes, floor }: LogProgress): Promise<{ more: boolean }> {
    const { client, partition, index, count } = this.options;
    const message = PartitionActor.pushesProgressed.to(BigInt(partition), {
      reader: index,
      readers: count,
      lanes,
      floor,
    });
    return client.call(message, 'system');
  }

  private addressed(push: LoggedPush): AddressedEntry {
    return {
      entry: new PushEntry(push, this.options.source),
      visitHosts(visit) {
        visit(push.host);
        return 1;
      },
    };
  }
}
