/** The mail log of one partition, as its lanes read it. */
import { findHostNumber, hostOfNumber } from '../../actors/partition/deliveries.queries.ts';
import {
  findMail,
  findMailLane,
  isOverwrittenMail,
  type LoggedMail,
  mailsAfter,
  newestMail,
} from '../../actors/partition/mails.queries.ts';
import { PartitionActor } from '../../actors/partition/partition.messages.ts';
import type { LaneState } from '../../actors/partition/partition.records.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Client } from '../../runtime/threads/client.ts';
import type { AddressedEntry, DeliveryLog, LogEntry, LogProgress } from '../lanes/log.ts';
import { MissingEntry } from '../lanes/missing-entry.ts';
import { MailEntry, type MailSource } from './mail-entry.ts';

export interface MailLogOptions {
  readonly partition: number;
  /** Of the partition. */
  readonly reader: Reader;
  readonly source: MailSource;
  /** The number of this network thread, and how many there are. */
  readonly index: number;
  readonly count: number;
  readonly client: Pick<Client, 'call'>;
}

export class MailLog implements DeliveryLog {
  private readonly options: MailLogOptions;

  constructor(options: MailLogOptions) {
    this.options = options;
  }

  newest(): number {
    return newestMail(this.options.reader);
  }

  entriesAfter(sequence: number, limit: number): AddressedEntry[] {
    return mailsAfter(this.options.reader, sequence, limit).map((mail) => this.addressed(mail));
  }

  find(sequence: number): LogEntry {
    const { partition, reader, source } = this.options;
    const mail = findMail(reader, sequence);
    if (mail !== undefined) return new MailEntry(partition, mail, source);
    return new MissingEntry(sequence, () => {
      if (isOverwrittenMail(reader, sequence)) source.overwritten();
    });
  }

  hostOf(number: number): string | undefined {
    return hostOfNumber(this.options.reader, number);
  }

  numberOf(host: string): number | undefined {
    return findHostNumber(this.options.reader, host);
  }

  laneState(number: number): LaneState | undefined {
    return findMailLane(this.options.reader, number);
  }

  store({ lanes, floor }: LogProgress): Promise<{ more: boolean }> {
    const { client, partition, index: reader, count: readers } = this.options;
    const message = PartitionActor.mailsProgressed.to(BigInt(partition), { reader, readers, lanes, floor });
    return client.call(message, 'system');
  }

  private addressed(mail: LoggedMail): AddressedEntry {
    return {
      entry: new MailEntry(this.options.partition, mail, this.options.source),
      visitHosts(visit) {
        visit(mail.host);
        return 1;
      },
    };
  }
}
