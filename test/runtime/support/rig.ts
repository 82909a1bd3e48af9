/**
 * Partitions over memory logs, driven step by step: nothing runs, commits or arrives until a test says so. The traffic
 * of each port is recorded in order.
 */

import type { Envelope } from '../../../src/runtime/contract.ts';
import { slotOfActor } from '../../../src/runtime/contract.ts';
import type { EventBatch, EventRecipients } from '../../../src/runtime/events/event.ts';
import type { Trace } from '../../../src/runtime/flow.ts';
import type { LetterOrder, StoredLetter } from '../../../src/runtime/letters.ts';
import { Partition } from '../../../src/runtime/partition/partition.ts';
import type { PartitionView } from '../../../src/runtime/partition/views.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import type {
  Acknowledgement,
  CallResult,
  CommitPosition,
  Frame,
  PartitionPorts,
  Problem,
} from '../../../src/runtime/ports.ts';
import { SnapshotReader } from '../../../src/runtime/storage/reader.ts';
import { MemoryLog, MemoryStore } from '../../support/memory-log.ts';
import { playerKeyspaces, Scripts } from './players.ts';

export interface EffectRun {
  sequence: number;
  effect: number;
  request: unknown;
  cause?: string | undefined;
}

/** The wall clock and the monotonic clock at first. */
export const startOfTime = 1_700_000_000_000;
export const startOfRun = 5_000_000;

/** One partition with its disk and its ports. */
export class Seat {
  readonly number: number;
  readonly store = new MemoryStore();
  readonly frames: Frame[] = [];
  readonly acknowledgements: Acknowledgement[] = [];
  readonly effects: EffectRun[] = [];
  readonly published: EventBatch[] = [];
  readonly recipients: (readonly EventRecipients[] | undefined)[] = [];
  readonly problems: Problem[] = [];
  /** Steps of requests that are traced. */
  readonly traced: string[] = [];
  /** The file of the dead letters that are too many. */
  readonly archived: StoredLetter[] = [];
  archiveFails = false;
  /** Then writing it ends with `finishArchive`. */
  archiveWaits = false;
  finishArchive: () => void = () => undefined;
  /** Of the replies, in their order. */
  readonly positions: CommitPosition[] = [];
  log = new MemoryLog(this.store);
  partition: Partition;
  /** By the monotonic clock. */
  wakeAt: number | undefined;
  private deferred: (() => void)[] = [];
  private readonly rig: Rig;

  constructor(number: number, rig: Rig) {
    this.number = number;
    this.rig = rig;
    this.partition = this.create();
  }

  /** What is on disk. */
  get disk(): SnapshotReader {
    return new SnapshotReader(this.store);
  }

  /** Runs what was deferred until nothing is left; no append completes by itself. */
  run(): void {
    for (let round = 0; this.deferred.length > 0; round += 1) {
      if (round > 100_000) throw new Error('a partition never comes to rest');
      const callbacks = this.deferred;
      this.deferred = [];
      for (const callback of callbacks) callback();
    }
  }

  /** Runs, and completes one append after the other until none is left. */
  settle(): void {
    this.run();
    for (let commits = 0; this.log.waiting > 0; commits += 1) {
      if (commits > 10_000) throw new Error('a partition never comes to rest');
      this.log.complete();
      this.run();
    }
  }

  /** Nobody knows what became of the appends; so many of them are on disk. */
  lose(applied: number): void {
    this.log.refuse('unknown', applied);
  }

  wake(): void {
    this.wakeAt = undefined;
    this.partition.wake();
  }

  /** The process dies with `applied` of its waiting appends on disk, and starts again. */
  restart(applied = 0): void {
    this.log.crash(applied);
    this.deferred = [];
    this.wakeAt = undefined;
    this.log = new MemoryLog(this.store);
    this.partition = this.create();
    this.open();
  }

  /** Each time in a later epoch. */
  open(): void {
    this.rig.epoch += 1;
    void this.partition.open(this.rig.epoch);
  }

  private readonly trace: Trace = (cause, step, details) => {
    this.traced.push(`${cause} ${step} ${details?.actor}${details?.failed ? ' failed' : ''}`);
  };

  private create(): Partition {
    const rig = this.rig;
    const log = this.log;
    const ports: PartitionPorts = {
      log,
      clock: { now: () => rig.now, monotonic: () => rig.monotonic },
      random: { bytes: (count) => new Uint8Array(count).fill(7) },
      sendFrame: (frame) => void this.frames.push(frame),
      acknowledge: (acknowledgement) => void this.acknowledgements.push(acknowledgement),
      reply: (handle, result, position) => {
        if (position !== undefined) this.positions.push(position);
        rig.replied(handle[2], result);
      },
      runEffect: (_partition, sequence, effect, request, _asker, cause) =>
        void this.effects.push({ sequence, effect, request, ...(cause !== undefined && { cause }) }),
      archiveLetters: (letters, done) => {
        if (this.archiveFails) done(new Error('the disk is full'));
        else {
          this.finishArchive = () => {
            this.archived.push(...letters);
            done(undefined);
          };
          if (!this.archiveWaits) this.finishArchive();
        }
      },
      publish: (batch, recipients) => {
        this.published.push(batch);
        this.recipients.push(recipients);
      },
      defer: (callback) => void this.deferred.push(callback),
      wakeIn: (milliseconds) => {
        this.wakeAt = rig.monotonic + milliseconds;
      },
      report: (problem) => void this.problems.push(problem),
      trace: this.trace,
    };
    return new Partition({
      number: this.number,
      placement: rig.placement,
      actors: rig.scripts.actors,
      keyspaces: playerKeyspaces,
      views: rig.views,
      isStrict: true,
      appendsMax: rig.appendsMax,
      ports,
    });
  }
}

export class Rig {
  /** The wall clock: tests may set it. */
  now = startOfTime;
  monotonic = startOfRun;
  epoch = 0;
  readonly scripts = new Scripts();
  readonly placement: ReturnType<typeof evenPlacement>;
  readonly seats: readonly Seat[];
  readonly views: readonly PartitionView[];
  readonly appendsMax: number;
  private readonly replies: CallResult[][] = [];

  constructor(partitions = 1, views: readonly PartitionView[] = [], appendsMax = 1) {
    this.placement = evenPlacement(partitions);
    this.appendsMax = appendsMax;
    this.views = views;
    this.seats = Array.from({ length: partitions }, (_, number) => new Seat(number, this));
    for (const seat of this.seats) seat.open();
    this.run();
  }

  get seat(): Seat {
    return this.seats[0]!;
  }

  /** Submits a call to the partition of its actor and returns its number. */
  call(envelope: Envelope, flow = 'account:1', deadline = Number.POSITIVE_INFINITY, cause?: string): number {
    const number = this.replies.push([]) - 1;
    const partition = envelope.partition ?? this.placement.partitionOf(slotOfActor(envelope.key));
    this.seats[partition]!.partition.submit({ envelope, flow, replyTo: [1, 1, number], deadline, cause });
    return number;
  }

  /** Orders something of the dead letters of a partition, and returns the number of the order as of a call. */
  orderLetters(partition: number, order: LetterOrder): number {
    const number = this.replies.push([]) - 1;
    this.seats[partition]!.partition.orderLetters(order, [1, 1, number]);
    return number;
  }

  /** Everything that was answered to a call; one result at most when all is well. */
  repliesTo(call: number): readonly CallResult[] {
    return this.replies[call]!;
  }

  /** The value that a call was answered with. Throws when it was not, or was refused. */
  valueOf(call: number): unknown {
    const result = this.replies[call]![0];
    if (result === undefined) throw new Error(`call ${call} has no reply`);
    if (!result.ok) throw new Error(`call ${call} was refused: ${result.failure.code}`);
    return result.value;
  }

  /** The code that a call was refused with; undefined when it has no reply or a good one. */
  refusalOf(call: number): string | undefined {
    const result = this.replies[call]![0];
    return result === undefined || result.ok ? undefined : result.failure.code;
  }

  replied(call: number, result: CallResult): void {
    this.replies[call]!.push(result);
  }

  run(): void {
    for (const seat of this.seats) seat.run();
  }

  /** Carries every frame and acknowledgement over, once. */
  deliver(): void {
    for (const seat of this.seats) {
      for (const frame of seat.frames.splice(0)) this.seats[frame.destination]!.partition.receive(frame);
      for (const acknowledgement of seat.acknowledgements.splice(0))
        this.seats[acknowledgement.source]!.partition.acknowledged(acknowledgement);
    }
  }

  /** Runs, commits and delivers until nothing moves. */
  settle(): void {
    for (let round = 0; round < 10_000; round += 1) {
      for (const seat of this.seats) seat.settle();
      if (this.seats.every((seat) => seat.frames.length === 0 && seat.acknowledgements.length === 0)) return;
      this.deliver();
    }
    throw new Error('the partitions never come to rest');
  }

  /** Time passes and nobody is woken. */
  elapse(milliseconds: number): void {
    this.now += milliseconds;
    this.monotonic += milliseconds;
  }

  /** Time passes, and whoever asked for it is woken. */
  pass(milliseconds: number): void {
    this.elapse(milliseconds);
    for (const seat of this.seats) {
      if (seat.wakeAt !== undefined && seat.wakeAt <= this.monotonic) seat.wake();
    }
  }
}
