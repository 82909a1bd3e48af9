/** The webhook log of one partition, as its lanes read it. */
import { findHostNumber, hostOfNumber } from '../../actors/partition/deliveries.queries.ts';
import { PartitionActor } from '../../actors/partition/partition.messages.ts';
import type { LaneState } from '../../actors/partition/partition.records.ts';
import {
  findNews,
  findWebhookLane,
  type LoggedNews,
  newestNews,
  newsAfter,
} from '../../actors/partition/webhooks.queries.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Client } from '../../runtime/threads/client.ts';
import type { AddressedEntry, DeliveryLog, LogEntry, LogProgress } from '../lanes/log.ts';
import { MissingEntry } from '../lanes/missing-entry.ts';
import { WebhookEntry, type WebhookSource } from './webhook-entry.ts';

export interface WebhookLogOptions {
  readonly partition: number;
  /** Of the partition. */
  readonly reader: Reader;
  readonly source: WebhookSource;
  /** The number of this network thread, and how many there are. */
  readonly index: number;
  readonly count: number;
  readonly client: Pick<Client, 'call'>;
}

export class WebhookLog implements DeliveryLog {
  private readonly options: WebhookLogOptions;

  constructor(options: WebhookLogOptions) {
    this.options = options;
  }

  newest(): number {
    return newestNews(this.options.reader);
  }

  entriesAfter(sequence: number, limit: number): AddressedEntry[] {
    return newsAfter(this.options.reader, sequence, limit).map((news) => this.addressed(news));
  }

  find(sequence: number): LogEntry {
    const { reader, source } = this.options;
    const news = findNews(reader, sequence);
    return news === undefined ? new MissingEntry(sequence, () => source.overwritten()) : new WebhookEntry(news, source);
  }

  hostOf(number: number): string | undefined {
    return hostOfNumber(this.options.reader, number);
  }

  numberOf(host: string): number | undefined {
    return findHostNumber(this.options.reader, host);
  }

  laneState(number: number): LaneState | undefined {
    return findWebhookLane(this.options.reader, number);
  }

  store({ lanes, floor }: LogProgress): Promise<{ more: boolean }> {
    const { client, partition, index: reader, count: readers } = this.options;
    const progress = { reader, readers, lanes, floor };
    return client.call(PartitionActor.webhooksProgressed.to(BigInt(partition), progress), 'system');
  }

  private addressed(news: LoggedNews): AddressedEntry {
    return {
      entry: new WebhookEntry(news, this.options.source),
      visitHosts(visit) {
        visit(news.host);
        return 1;
      },
    };
  }
}
