/** The log of the relay, as its lanes read it: one log for all subscribers, each of which has a place in it. */

import type { LaneState } from '../../actors/partition/partition.records.ts';
import { Relay, relayKey } from '../../actors/relay/relay.messages.ts';
import {
  findRelayed,
  findRelayLane,
  hostOfSubscription,
  type LoggedRelay,
  relayedAfter,
  relayState,
} from '../../actors/relay/relay.queries.ts';
import type { AddressedEntry, DeliveryLog, LogEntry, LogProgress } from '../../outbound/lanes/log.ts';
import { MissingEntry } from '../../outbound/lanes/missing-entry.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Client } from '../../runtime/threads/client.ts';
import { RelayEntry, type RelaySource } from './relay-entry.ts';

export interface RelayLogOptions {
  readonly reader: Reader;
  readonly source: RelaySource;
  readonly client: Pick<Client, 'call'>;
  /** The number of this network thread, and how many there are. */
  readonly index: number;
  readonly count: number;
}

export class RelayLog implements DeliveryLog {
  private readonly options: RelayLogOptions;

  constructor(options: RelayLogOptions) {
    this.options = options;
  }

  newest(): number {
    return relayState(this.options.reader).nextSequence - 1;
  }

  entriesAfter(sequence: number, limit: number): AddressedEntry[] {
    return relayedAfter(this.options.reader, sequence, limit).map((logged) => this.addressed(logged));
  }

  find(sequence: number): LogEntry {
    const { reader, source } = this.options;
    const logged = findRelayed(reader, sequence);
    if (logged !== undefined) return new RelayEntry(logged, source);
    const madeRoom = sequence <= relayState(reader).overwrittenThrough;
    const why = madeRoom ? 'overwritten' : 'too old';
    return new MissingEntry(sequence, (number) => source.dropped(number, why));
  }

  hostOf(number: number): string | undefined {
    return hostOfSubscription(this.options.reader, number);
  }

  numberOf(host: string): number | undefined {
    return this.options.source.receivers.numberOf(host);
  }

  laneState(number: number): LaneState | undefined {
    return findRelayLane(this.options.reader, number);
  }

  store({ lanes, floor }: LogProgress): Promise<{ more: boolean }> {
    const { client, index, count } = this.options;
    return client.call(Relay.progressed.to(relayKey, { reader: index, readers: count, lanes, floor }), 'system');
  }

  private addressed(logged: LoggedRelay): AddressedEntry {
    const { source } = this.options;
    return {
      entry: new RelayEntry(logged, source),
      visitHosts(visit) {
        const { all } = source.receivers;
        for (const [number, { from }] of all) if (from <= logged.sequence) visit(number);
        return all.size;
      },
    };
  }
}
