/**
 * Sends a stream the events after the positions that its client gives, read from the event logs, as they may be shown
 * now. If a log was trimmed behind such a position, or too much was missed, the client gets `gap` and has to read the
 * timelines.
 *
 * INVARIANTS
 * 1. The logs are read exactly up to what this gateway has dispatched: later events arrive live. So nothing is buffered
 *    or compared, and nothing is sent twice or left out.
 * 2. They are read in slices, so that the thread's other work continues.
 * 3. Each event carries the positions that the replay has reached: an interrupted stream can resume there.
 */

import { eventsFrom, reachesBack } from '../../runtime/events/event-log.ts';
import { partitionLimits } from '../../runtime/limits.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { carries, isOfAccount, type WatchedKind } from './channels.ts';
import { gapFrame } from './frame.ts';
import { streamLimits } from './limits.ts';
import type { Payload, Payloads } from './payloads.ts';
import { formatPosition, isAfter, type Position, Positions } from './position.ts';
import type { SharedEvent, SharedLog } from './shared-log.ts';
import type { StreamEvent } from './stream-events.ts';
import type { RunningReplay, Subscriber } from './subscriber.ts';
import { comesByTag } from './tag-followers.ts';

/**
 * `later`: the slice is over. `blocked`: the client's buffer is full, or its position is ahead of what this gateway has
 * dispatched (another gateway was faster).
 */
export type ReplayOutcome = 'done' | 'later' | 'blocked';

type Reading = 'read' | 'gap' | Exclude<ReplayOutcome, 'done'>;

/** A status older than this was not news when it was logged either. */
const oldMilliseconds = streamLimits.newsMilliseconds + partitionLimits.eventAgeMilliseconds;

export interface ReplayOptions {
  readonly services: GatewayServices;
  readonly payloads: Payloads;
  readonly log: SharedLog;
}

export class Replay implements RunningReplay {
  readonly subscriber: Subscriber;
  private readonly services: GatewayServices;
  private readonly payloads: Payloads;
  private readonly log: SharedLog;
  /** How far it has read. */
  private readonly cursor: Positions;
  /** The partition of the account, whose log contains everything for the account's own streams. */
  private readonly ownPartition: number;
  /** The partitions whose logs the stream follows. */
  private partitions: readonly number[];
  private eventsRead = 0;
  private framesSent = 0;

  constructor({ services, payloads, log }: ReplayOptions, subscriber: Subscriber, since: readonly Position[]) {
    this.services = services;
    this.payloads = payloads;
    this.log = log;
    this.subscriber = subscriber;
    const count = services.snapshots.partitions.length;
    this.cursor = new Positions(count);
    for (const position of since) if (position.partition < count) this.cursor.moveTo(position);
    this.ownPartition = services.feeds.partitionOf(subscriber.connection.grant.accountId);
    this.partitions = this.followed();
  }

  /** Logs that were not followed before are followed from now on. */
  followedTagsChanged(dispatched: Positions): void {
    const followed = this.followed();
    for (const partition of followed) {
      const at = dispatched.at(partition);
      if (at !== undefined && !this.partitions.includes(partition)) this.cursor.moveTo(at);
    }
    this.partitions = followed;
  }

  private followed(): readonly number[] {
    return this.subscriber.mergesLogs
      ? this.services.snapshots.partitions.map((_, partition) => partition)
      : [this.ownPartition];
  }

  /**
   * Continues while `hasTime` allows. `dispatched` is the position of live events on this gateway; on `done` the stream
   * has reached exactly that.
   */
  step(dispatched: Positions, hasTime: () => boolean): ReplayOutcome {
    if (this.subscriber.connection.canTakeMore?.() === false) return 'blocked';
    for (;;) {
      const partition = this.partitions.find((candidate) => !this.isAt(candidate, dispatched));
      if (partition === undefined) return 'done';
      const reading = this.readIfPossible(partition, dispatched.at(partition), hasTime);
      if (reading === 'gap') return this.giveUp(dispatched);
      if (reading !== 'read') return reading;
    }
  }

  private isAt(partition: number, dispatched: Positions): boolean {
    const [mine, last] = [this.cursor.at(partition), dispatched.at(partition)];
    return mine !== undefined && last !== undefined && mine.commit === last.commit && mine.index >= last.index;
  }

  /** What cannot be read, of the log or of what it leads to, brings a gap. */
  private readIfPossible(partition: number, last: Position | undefined, hasTime: () => boolean): Reading {
    try {
      return this.read(partition, last, hasTime);
    } catch (error) {
      this.services.report({ level: 'error', message: 'a stream could not be resumed', error });
      return 'gap';
    }
  }

  private read(partition: number, last: Position | undefined, hasTime: () => boolean): Reading {
    const from = this.cursor.at(partition);
    const reader = this.services.snapshots.partitions[partition]!;
    if (from === undefined || last === undefined || !reachesBack(reader, from.commit, from.index)) return 'gap';
    if (isAfter(from, last)) return isLogged(reader, partition, from.commit) ? 'blocked' : 'gap';
    for (const batch of this.log.from(partition, from.commit)) {
      if (batch.commit > last.commit) break;
      const first = batch.commit === from.commit ? from.index + 1 : 0;
      for (let index = first; index < batch.events.length; index += 1) {
        this.cursor.moveTo({ partition, commit: batch.commit, index });
        const stop = this.pass(batch.events[index]!, this.cursor.at(partition)!, hasTime);
        if (stop !== undefined) return stop;
      }
    }
    this.cursor.moveTo(last);
    return 'read';
  }

  /** Sends the event if the stream carries it; returns why no more should be read for now. */
  private pass(logged: SharedEvent, at: Position, hasTime: () => boolean): Exclude<Reading, 'read'> | undefined {
    this.eventsRead += 1;
    if (this.eventsRead > streamLimits.replayEventsReadMax) return 'gap';
    const { event } = logged;
    // Nobody knows whom it concerns.
    if (event === 'unknown') return 'gap';
    const payload = event && this.payloadOf(event, at);
    const frame = payload && logged.frame(event!, payload, this.idAt(at));
    if (frame !== undefined) {
      this.framesSent += 1;
      if (this.framesSent > streamLimits.replayEventsMax) return 'gap';
      this.subscriber.connection.deliver(this.subscriber, frame);
    }
    if (this.subscriber.connection.canTakeMore?.() === false) return 'blocked';
    return hasTime() ? undefined : 'later';
  }

  private giveUp(dispatched: Positions): ReplayOutcome {
    const { connection } = this.subscriber;
    const own = dispatched.at(this.ownPartition);
    const ids = { own: own === undefined ? '' : formatPosition(own), merged: dispatched.toString() };
    connection.deliver(this.subscriber, gapFrame(ids));
    return 'done';
  }

  /** As a frame of the stream has it. */
  private idAt(at: Position): string {
    return this.subscriber.mergesLogs ? this.cursor.toString() : formatPosition(at);
  }

  private payloadOf(event: StreamEvent, at: Position): Payload | undefined {
    const { channel, connection } = this.subscriber;
    if (channel.kind.watched !== undefined) return this.watchedPayload(event, channel.kind.watched);
    if (!this.mayConcern(event)) return undefined;
    const payloads = event.payloads(this.payloads, false);
    const isAccounts = isOfAccount(channel) && this.concernsAccount(event, at);
    // Left out of public channels for everybody, including those who may see it elsewhere.
    if (!isAccounts && !(this.isPublicly(event) && payloads.inPublic() !== undefined)) return undefined;
    const { accountId } = connection.grant;
    return isOfAccount(channel) ? payloads.personal(accountId) : payloads.personalInPublic(accountId);
  }

  private watchedPayload(event: StreamEvent, { carriesOld }: WatchedKind): Payload | undefined {
    if (!this.subscriber.watches(event) || (carriesOld !== true && this.isOld(event))) return undefined;
    return this.subscriber.watchedPayload(event, event.payloads(this.payloads, false));
  }

  private isOld(event: StreamEvent): boolean {
    return event.isOlderThan(this.services.now() - oldMilliseconds);
  }

  private mayConcern(event: StreamEvent): boolean {
    const { visibility } = this.subscriber;
    const { filtered } = event;
    if (this.isOld(event)) return false;
    return filtered === undefined || visibility.shows(filtered, this.services.now());
  }

  /** Only from the account's own log: the same status may be in another one as well. */
  private concernsAccount(event: StreamEvent, { partition }: Position): boolean {
    const { snapshots } = this.services;
    if (partition !== this.ownPartition || !this.subscriber.shouldReceive(event, this.services)) return false;
    return event.concerns(this.subscriber.connection.grant.accountId, snapshots);
  }

  /** As something that everybody may see: in a public channel, or in a home because of a followed tag. */
  private isPublicly(event: StreamEvent): boolean {
    const { snapshots } = this.services;
    const { channel, visibility } = this.subscriber;
    if (!isOfAccount(channel)) {
      const mayRead = event.filtered === undefined || visibility.reads(channel.kind, event.filtered);
      return mayRead && event.isPublic && carries(channel, event);
    }
    return comesByTag(visibility, event, snapshots) && this.subscriber.shouldReceive(event, this.services);
  }
}

function isLogged(reader: Reader, partition: number, commit: number): boolean {
  for (const batch of eventsFrom(reader, partition, commit)) return batch.commit === commit;
  return false;
}
