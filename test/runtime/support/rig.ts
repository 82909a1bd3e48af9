/**
 * Partitions over memory logs, driven step by step: nothing runs, commits or arrives until a test says so. The traffic
 * of each port is recorded in order.
 */

import type { Envelope } from '../../../src/runtime/contract.ts';
import type { LetterOrder } from '../../../src/runtime/letters.ts';
import type { Partition } from '../../../src/runtime/partition/partition.ts';
import type { PartitionView } from '../../../src/runtime/partition/views.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import type { Acknowledgement, CallResult, CommitPosition, Frame, PartitionPorts } from '../../../src/runtime/ports.ts';
import { SnapshotReader } from '../../../src/runtime/storage/reader.ts';
import { type Trace, traceOfLog } from '../../../src/runtime/tracing/trace.ts';
import { MemoryLog, MemoryStore } from '../../support/memory-log.ts';
import { type Answered, PartitionHost, Records } from '../../support/partition-host.ts';
import { Tasks } from '../../support/schedule.ts';
import { playerKeyspaces, Scripts } from './players.ts';

/** The wall clock and the monotonic clock at first. */
export const startOfTime = 1_700_000_000_000;
export const startOfRun = 5_000_000;

/** One partition with its disk, and what has left it. */
export class Seat extends Records {
  readonly number: number;
  readonly store = new MemoryStore();
  readonly frames: Frame[] = [];
  readonly acknowledgements: Acknowledgement[] = [];
  /** Steps of requests that are traced. */
  readonly traced: string[] = [];
  /** Writes to the file of the dead letters; a test may set another one. */
  archive: PartitionPorts['archiveLetters'] = (letters, done) => {
    this.archived.push(...letters);
    done(undefined);
  };
  /** Of the replies, in their order. */
  readonly positions: CommitPosition[] = [];
  log!: MemoryLog;
  partition!: Partition;
  /** By the monotonic clock. */
  wakeAt: number | undefined;
  private readonly tasks = new Tasks();
  /** A test may set another one before the partition starts again. */
  trace: Trace = traceOfLog((cause, { text, details: { actor, failed } }) => {
    this.traced.push(`${cause} ${text} ${actor}${failed === true ? ' failed' : ''}`);
  });
  private readonly rig: Rig;

  constructor(number: number, rig: Rig) {
    super();
    this.number = number;
    this.rig = rig;
    this.start();
  }

  /** What is on disk. */
  get disk(): SnapshotReader {
    return new SnapshotReader(this.store);
  }

  /** Runs what was deferred until nothing is left; no append completes by itself. */
  run(): void {
    this.tasks.run();
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
    this.start();
    this.open();
  }

  /** Each time in a later epoch. */
  open(): void {
    this.rig.epoch += 1;
    void this.partition.open(this.rig.epoch);
  }

  private start(): void {
    const { rig, tasks } = this;
    tasks.drop();
    this.wakeAt = undefined;
    this.log = new MemoryLog(this.store);
    const clock = { now: () => rig.now, monotonic: () => rig.monotonic };
    const wakeIn = (milliseconds: number) => {
      this.wakeAt = rig.monotonic + milliseconds;
    };
    this.partition = rig.host.start(this.number, {
      log: this.log,
      records: this,
      schedule: { clock, soon: tasks.soon, wakeIn },
      wire: {
        sendFrame: (frame) => void this.frames.push(frame),
        acknowledge: (acknowledgement) => void this.acknowledgements.push(acknowledgement),
        archiveLetters: (letters, done) => this.archive(letters, done),
        trace: this.trace,
      },
    });
  }
}

export class Rig {
  /** The wall clock: tests may set it. */
  now = startOfTime;
  monotonic = startOfRun;
  epoch = 0;
  readonly scripts = new Scripts();
  readonly host: PartitionHost;
  readonly seats: readonly Seat[];
  private readonly replies: CallResult[][] = [];

  constructor(partitions = 1, views: readonly PartitionView[] = [], appendsMax = 1) {
    const { actors } = this.scripts;
    const content = { actors, keyspaces: playerKeyspaces, views, isStrict: true, appendsMax };
    this.host = new PartitionHost(evenPlacement(partitions), () => content);
    this.seats = Array.from({ length: partitions }, (_, number) => new Seat(number, this));
    for (const seat of this.seats) seat.open();
    this.run();
  }

  get seat(): Seat {
    return this.seats[0]!;
  }

  /** The calls whose answers tell that something cached was invalidated. */
  readonly invalidating = new Set<number>();

  /** Submits a call to the partition of its actor and returns its number. */
  call(envelope: Envelope, flow = 'account:1', deadline = Number.POSITIVE_INFINITY, cause?: string): number {
    return this.ask((answered) => this.host.submit(envelope, answered, { flow, deadline, cause }));
  }

  /** Orders something of the dead letters of a partition, and returns the number of the order as of a call. */
  orderLetters(partition: number, order: LetterOrder, deadline?: number): number {
    return this.ask((answered) => this.host.submitOrder(partition, order, answered, deadline));
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

  private ask(submit: (answered: Answered) => void): number {
    const replies: CallResult[] = [];
    const call = this.replies.push(replies) - 1;
    submit((result, position, invalidates) => {
      replies.push(result);
      if (invalidates) this.invalidating.add(call);
      if (position !== undefined) this.seats[position.partition]!.positions.push(position);
    });
    return call;
  }
}
