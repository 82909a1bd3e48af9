/**
 * A hub of streams over event logs written by a test, which logs and dispatches events separately, as an owner and its
 * gateways do. Events are deletions, whose payload is an id.
 */

import { hiddenAccountsChanged } from '../../../src/actors/account/relationships/relationships.events.ts';
import { mutes } from '../../../src/actors/account/relationships/relationships.state.ts';
import { type StatusFacts, statusDeleted } from '../../../src/actors/account/statuses/statuses.events.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import type { UserGrant } from '../../../src/gateway/http/grant.ts';
import type { StreamingApp } from '../../../src/gateway/http/native-apps.ts';
import { channelOf } from '../../../src/gateway/streaming/channels.ts';
import type { StreamFrame } from '../../../src/gateway/streaming/frame.ts';
import { StreamHub } from '../../../src/gateway/streaming/hub.ts';
import { type Position, parsePositions } from '../../../src/gateway/streaming/position.ts';
import type { Connection, Subscriber } from '../../../src/gateway/streaming/subscriber.ts';
import type { Options } from '../../../src/options/table.ts';
import { pack } from '../../../src/runtime/codec.ts';
import type { EventBatch } from '../../../src/runtime/events/event.ts';
import type { Problem } from '../../../src/runtime/ports.ts';
import { StorageFailure } from '../../../src/runtime/storage/log.ts';
import { events as eventLog, notCounted } from '../../../src/runtime/storage/machine.ts';
import type { Snapshots } from '../../../src/runtime/storage/snapshots.ts';
import type { Client } from '../../../src/runtime/threads/client.ts';
import type { Caches } from '../../../src/services/caches.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import type { Feeds } from '../../../src/services/feeds.ts';
import { Members } from '../../../src/services/members.ts';
import { roomyCaches } from '../../support/caches.ts';
import { only } from '../../support/only.ts';
import { until } from '../../support/until.ts';

const readerId = 7n;
/** Of all statuses. */
export const authorId = 1n;
const publicChannel = channelOf('public')!;

export interface HubBedOptions {
  /** For real WebSockets. */
  readonly app?: StreamingApp;
  readonly caches?: Caches;
  readonly report?: (problem: Problem) => void;
}

/** Stands for the events of a damaged record. */
const damaged: EventBatch['events'] = [];
/** And of one that cannot be read. */
const unread: EventBatch['events'] = [];
const notPacked = Uint8Array.of(0xdf, 0xff, 0xff);

export class HubBed {
  readonly hub: StreamHub;
  /** By partition. */
  readonly logs: EventBatch[][];
  /** What the owners were told: partition and key. */
  readonly damageMet: [number, Uint8Array][] = [];
  private readonly trimmed: { eventsTrimmedCommit: number; eventsTrimmedIndex: number }[];
  private readonly events = new EventHub();
  /** Whom the account of all readers mutes. */
  private readonly muted: bigint[] = [];
  private commit = 0;

  constructor(partitions: number, { app = {} as StreamingApp, caches = roomyCaches(), report }: HubBedOptions = {}) {
    this.logs = Array.from({ length: partitions }, () => []);
    this.trimmed = this.logs.map(() => ({ eventsTrimmedCommit: 0, eventsTrimmedIndex: 0 }));
    const services = only<GatewayServices>('services', {
      options: only<Options>('options', { rateLimits: true }),
      events: this.events,
      caches,
      members: new Members(),
      snapshots: this.snapshots(),
      feeds: only<Feeds>('feeds', { partitionOf: () => 0 }),
      client: only<Client>('client', {
        damageMet: (partition, key) => void this.damageMet.push([partition, key]),
        control: (partition: number) => Promise.resolve({ commit: this.logs[partition]!.at(-1)?.commit ?? 0 } as never),
      }),
      now: () => Date.now(),
      report: report ?? (() => undefined),
    });
    this.hub = new StreamHub(services, app);
  }

  /** Settles when the hub knows where each partition stood at first. */
  async begun(): Promise<void> {
    const reader = this.open('0.0.0,1.0.0');
    await reader.isLive();
    this.hub.unsubscribe(reader.subscriber!);
    this.hub.disconnected(reader);
  }

  /** An event that is on disk and was not published yet. */
  log(partition: number, id: number | bigint): EventBatch {
    const facts: StatusFacts = {
      id: typeof id === 'number' ? BigInt(id) : id,
      accountId: authorId,
      local: true,
      visibility: 'public',
      tags: [],
      mentions: [],
      hasMedia: false,
    };
    this.commit += 1;
    const batch = { partition, commit: this.commit, events: [{ event: statusDeleted.number, body: facts }] };
    this.logs[partition]!.push(batch);
    return batch;
  }

  /** A record that cannot be decoded. */
  logDamaged(partition: number): void {
    this.append(partition, damaged);
  }

  /** A record that the disk does not give. */
  logUnread(partition: number): void {
    this.append(partition, unread);
  }

  /** An event as a version may have written it that this one does not understand. */
  logForeign(partition: number, event: number): void {
    this.append(partition, [{ event, body: { of: 'another version' } }]);
  }

  private append(partition: number, events: EventBatch['events']): void {
    this.commit += 1;
    this.logs[partition]!.push({ partition, commit: this.commit, events });
  }

  dispatch(batch: EventBatch): void {
    this.events.dispatch(batch, []);
  }

  /** The oldest batch leaves the log of its partition. */
  trim(partition: number): void {
    const { commit, events } = this.logs[partition]!.shift()!;
    this.trimmed[partition] = { eventsTrimmedCommit: commit, eventsTrimmedIndex: events.length - 1 };
  }

  /** As an earlier version left it, which did not write down what it trimmed. */
  forgetTrimmed(partition: number): void {
    this.trimmed[partition] = { eventsTrimmedCommit: notCounted, eventsTrimmedIndex: 0 };
  }

  /** Logged and dispatched. */
  happen(partition: number, id: number | bigint): void {
    this.dispatch(this.log(partition, id));
  }

  /** By the account of all readers. */
  mute(accountId: bigint): void {
    this.muted.push(accountId);
    this.commit += 1;
    this.dispatch({
      partition: 0,
      commit: this.commit,
      events: [{ event: hiddenAccountsChanged.number, body: { accountId: readerId } }],
    });
  }

  ownerReplaced(): void {
    this.events.dispatchLoss();
  }

  open(since?: string): Reader {
    const reader = new Reader();
    this.hub.connected(reader);
    reader.subscriber = this.hub.subscribe(reader, publicChannel, positionsOf(since));
    return reader;
  }

  private account(space: unknown): readonly unknown[] {
    if (space === eventLog) throw new Error('the event log belongs to a partition');
    return space === mutes ? this.muted.map((accountId) => ({ key: [readerId, accountId], value: {} })) : [];
  }

  private snapshots(): Snapshots {
    const partitions = this.logs.map((batches, partition) => ({
      get: () => this.trimmed[partition],
      *range(_space: unknown, _prefix: unknown, { from = 0 }: { from?: number }) {
        for (const { commit, events } of batches) {
          if (events === unread) throw new StorageFailure(new Error('EIO'));
          if (commit >= from) yield { key: [commit], value: events === damaged ? notPacked : pack({ at: 0, events }) };
        }
      },
    }));
    const range = (space: unknown) => this.account(space) as never;
    return only<Snapshots>('snapshots', { partitions: partitions as never, range, get: () => undefined });
  }
}

function positionsOf(since: string | undefined): Position[] | undefined {
  return since === undefined ? undefined : parsePositions(since);
}

interface Received {
  readonly event: string;
  readonly payload: string | undefined;
  readonly id: string;
}

/** A stream that takes what it gets, one by one. */
export class Reader implements Connection {
  readonly grant = { accountId: readerId, tokenId: 'token' } as UserGrant;
  readonly received: Received[] = [];
  subscriber: Subscriber | undefined;
  hasRoom = true;
  /** How many it had received when it was told to write at once. */
  readonly flushedAt: number[] = [];

  deliver(subscriber: Subscriber, frame: StreamFrame): void {
    this.received.push(JSON.parse(Buffer.from(frame.webSocket(subscriber)).toString()) as Received);
  }

  flush(): void {
    this.flushedAt.push(this.received.length);
  }

  canTakeMore(): boolean {
    return this.hasRoom;
  }

  close(): void {
    throw new Error('nobody closes this stream');
  }

  get ids(): number[] {
    return this.received.map(({ payload }) => Number(payload));
  }

  /** Once it is where the live events are. */
  async isLive(): Promise<void> {
    await until(() => this.subscriber?.replay === undefined, { description: 'the replay to be over' });
  }
}
