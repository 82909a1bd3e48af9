/**
 * The gate: commits the filling batch, and lets out what its turns have produced once it is on disk.
 *
 * INVARIANTS
 * 1. Nothing that a turn produced leaves before the commit of its batch.
 * 2. Listeners get every commit that has events, once and in order; and a gap, as views begin anew, behind one that
 *    deleted a record by command.
 */
import type { PublishedEvents } from '../events/event.ts';
import type { CommitPosition, Frame, PartitionPorts } from '../ports.ts';
import { type Cursor, meta } from '../storage/machine.ts';
import type { Alarm } from './alarm.ts';
import type { AskedEffects } from './asked-effects.ts';
import type { Batch } from './batch.ts';
import type { DamagedRecords } from './damaged-records.ts';
import type { ExcessLetters } from './excess-letters.ts';
import type { IdSource } from './id-source.ts';
import type { IncomingChannels } from './incoming.ts';
import type { OutgoingChannels } from './outgoing.ts';
import type { Recovery } from './recovery.ts';
import type { Refusals } from './refusals.ts';
import { EventRetention } from './retention.ts';
import type { Staging } from './staging.ts';
import type { Views } from './views.ts';

export interface GateOptions {
  readonly partition: number;
  readonly ports: PartitionPorts;
  readonly staging: Staging;
  readonly recovery: Recovery;
  readonly refusals: Refusals;
  readonly ids: IdSource;
  readonly outgoing: OutgoingChannels;
  readonly incoming: IncomingChannels;
  readonly asked: AskedEffects;
  readonly excessLetters: ExcessLetters;
  readonly views: Views;
  readonly damaged: DamagedRecords;
  readonly alarm: Alarm;
  /** Letters above their bound are in the file: `drop` removes them from the database. */
  lettersArchived(drop: () => void): void;
  /** Something was let out: when to wake next may have changed. */
  released(): void;
  /** A batch has landed: there is room for more. */
  proceed(): void;
}

export class Gate {
  private readonly options: GateOptions;
  private readonly ports: PartitionPorts;
  private readonly retention: EventRetention;
  private publishedCommit = 0;

  constructor(options: GateOptions) {
    this.options = options;
    this.ports = options.ports;
    this.retention = new EventRetention(options.damaged);
  }

  /** The last commit whose replies and events have left. */
  get commit(): number {
    return this.publishedCommit;
  }

  /** Memory was read from disk, as this commit left it. */
  open(commit: number): void {
    this.publishedCommit = commit;
    this.retention.open(this.options.staging.reader);
  }

  /** Commits what turns have produced when the log has room. */
  commitIfPossible(): void {
    const { staging, recovery, ids, refusals } = this.options;
    const { commits } = recovery;
    const { filling, underWay } = staging;
    if (!recovery.isServing || !commits.hasRoom || filling.isEmpty) return;
    const isOnDisk = !filling.hasWrites && ids.isStoredIn(staging.meta);
    // What these turns read is on disk only once the batches under way are.
    if (isOnDisk && underWay.length > 0) return;
    const batch = staging.nextBatch();
    if (isOnDisk) {
      this.release(batch);
      return;
    }
    try {
      this.seal(batch);
      if (batch.traced.length > 0) batch.sealedAt = this.ports.clock.monotonic();
    } catch (error) {
      refusals.refuseCallersOf(batch);
      throw error;
    }
    commits.append(batch);
  }

  /** The oldest batch under way is on disk. */
  landed(batch: Batch): void {
    const { alarm, staging, recovery } = this.options;
    alarm.succeeded();
    recovery.guarded(() => staging.landed());
    this.publishedCommit = batch.commit;
    this.trace(batch);
    this.release(batch);
    recovery.guarded(() => this.commitIfPossible());
    this.options.proceed();
  }

  acknowledge(source: number, { sequence, digest }: Cursor): void {
    this.ports.acknowledge({ source, destination: this.options.partition, sequence, digest });
  }

  send(frames: readonly Frame[]): void {
    for (const frame of frames) this.ports.sendFrame(frame);
  }

  /** Writes what the commit holds besides the entries of actors. */
  private seal(batch: Batch): void {
    const { staging, outgoing, incoming, ids } = this.options;
    const now = this.ports.clock.now();
    const { meta: counters } = staging;
    outgoing.seal(batch, counters.epoch);
    incoming.seal(batch);
    counters.commit += 1;
    batch.commit = counters.commit;
    counters.eventBytes += batch.putEvents(now);
    this.retention.seal(batch, counters, now);
    ids.storeIn(counters);
    batch.put(meta, [0], counters);
  }

  /** Replies, frames, events and effects of a committed batch leave. */
  private release(batch: Batch): void {
    const { partition, recovery, outgoing, incoming, asked, excessLetters } = this.options;
    const { commit, events, packedEvents: packed } = batch;
    if (events.length > 0) recovery.guarded(() => this.publish({ partition, commit, events, packed }));
    if (batch.deletesUntold) this.forget();
    const position: CommitPosition = { partition, commit: this.commit };
    for (const { handle, result, bytes } of batch.replies) this.ports.reply(handle, result, position, bytes);
    this.send(outgoing.released(batch, this.ports.clock.monotonic()));
    incoming.released(batch);
    for (const [source, cursor] of batch.taken) this.acknowledge(source, cursor);
    recovery.guarded(() => asked.released(batch));
    recovery.guarded(() => excessLetters.released((drop) => this.options.lettersArchived(drop)));
    this.options.released();
  }

  private trace({ traced, sealedAt: beganAt }: Batch): void {
    for (const cause of traced) this.ports.trace?.step(cause, { span: { name: 'commit', kind: 'internal', beganAt } });
  }

  /** Views and listeners may know what was deleted. */
  private forget(): void {
    const { recovery, views } = this.options;
    recovery.guarded(() => views.opened(this.commit));
    this.ports.publishGap();
  }

  private publish(batch: PublishedEvents): void {
    this.ports.publish(batch, this.options.views.committed(batch));
  }
}
