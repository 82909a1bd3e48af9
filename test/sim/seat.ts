/** A partition in a simulated process: its disk, which outlives it, and its ports, where things go wrong. */
import type { StoredLetter } from '../../src/runtime/letters.ts';
import type { Partition } from '../../src/runtime/partition/partition.ts';
import { barrier } from '../../src/runtime/storage/log-state.ts';
import { type Reader, SnapshotReader } from '../../src/runtime/storage/reader.ts';
import { MemoryLog, MemoryStore } from '../support/memory-log.ts';
import type { Wire } from '../support/partition-host.ts';
import type { SimulatedProcess } from './process.ts';
import type { World } from './world.ts';

export class Seat {
  readonly number: number;
  readonly process: SimulatedProcess;
  readonly store = new MemoryStore();
  /** The current content of the disk. */
  readonly disk: Reader = new SnapshotReader(this.store);
  /** How often its disk was replaced by an older copy. */
  restores = 0;
  private readonly world: World;
  private log = new MemoryLog(this.store);
  private unreadableUntil = 0;
  private unreachableUntil = 0;

  constructor(number: number, process: SimulatedProcess, world: World) {
    this.number = number;
    this.process = process;
    this.world = world;
  }

  /** Undefined while its process is down. */
  get partition(): Partition | undefined {
    return this.world.host.partition(this.number);
  }

  get isReadable(): boolean {
    return this.world.timeline.now >= this.unreadableUntil;
  }

  /** Makes the disk unreadable for some time. */
  blind(milliseconds: number): void {
    this.world.note(`partition ${this.number}: the disk cannot be read for ${milliseconds} ms`);
    this.unreadableUntil = this.world.timeline.now + milliseconds;
  }

  open(): void {
    this.unreadableUntil = 0;
    this.unreachableUntil = 0;
    this.log = new MemoryLog(this.store);
    this.log.failReads(() => !this.isReadable);
    this.log.onAppend = () => this.appended();
    this.log.onQuestion = (answer) => this.process.after(this.appendDelay(), answer);
    this.log.isUnreachable = () => this.world.timeline.now < this.unreachableUntil;
    const { log, process, world } = this;
    const partition = world.host.start(this.number, {
      log,
      schedule: {
        clock: { now: () => process.now(), monotonic: () => world.monotonic() },
        soon: (task) => process.after(0, task),
        wakeIn: (milliseconds, wake) => process.after(milliseconds, wake),
      },
      wire: this.wire(),
    });
    this.world.check((checker) => checker.opened?.(this.number));
    void partition.open(this.world.nextEpoch());
  }

  /** The process has crashed; `applied` of the waiting appends reach the disk unnoticed. */
  crash(applied: number): void {
    this.log.crash(applied);
    this.world.host.stop(this.number);
  }

  close(): Promise<void> {
    return this.world.host.closePartition(this.number);
  }

  /** As an operator restores it, who stops the server before, with all that runs effects. */
  restore(copy: ReadonlyMap<string, Uint8Array>): void {
    this.world.note(`partition ${this.number} is restored from an older copy`);
    this.process.crash();
    this.store.restore(copy);
    this.restores += 1;
  }

  /** Another owner takes the partition; this process is not informed. */
  takeAway(): void {
    this.world.note(`partition ${this.number} is opened by another owner`);
    this.store.append(barrier(this.store, this.world.nextEpoch()));
  }

  private appendDelay(): number {
    return this.world.random.below(this.world.faults.appendMilliseconds + 1);
  }

  private appended(): void {
    const { log, world } = this;
    if (log.waiting > world.faults.appendsMax)
      world.complain('bounds', `partition ${this.number} has ${log.waiting} appends under way`);
    this.process.after(this.appendDelay(), () => {
      // Refused with the one before it.
      if (log.waiting === 0) return;
      if (world.random.chance(world.faults.appendFails)) {
        this.refuse();
        return;
      }
      world.detail(() => `partition ${this.number}: an append completes`);
      log.complete();
      world.check((checker) => checker.committed?.(this.number, this.disk));
    });
  }

  private refuse(): void {
    const { log } = this;
    const { faults, random, timeline } = this.world;
    if (random.chance(faults.failedIsFull)) {
      this.world.note(`partition ${this.number}: the log is full`);
      log.refuse('full');
      return;
    }
    const applied = random.chance(faults.failedIsApplied) ? random.between(1, log.waiting) : 0;
    this.world.note(`partition ${this.number}: ${log.waiting} appends are refused, ${applied} of them are applied`);
    this.unreachableUntil = timeline.now + random.below(faults.unreachableMilliseconds + 1);
    log.refuse('unknown', applied);
  }

  /** The file outlives the process as the disk does. */
  private archive(letters: readonly StoredLetter[], done: (error: Error | undefined) => void): void {
    const { world, process, number } = this;
    const { faults, random } = world;
    process.after(random.below(faults.appendMilliseconds + 1), () => {
      if (random.chance(faults.archiveFails)) {
        done(new Error('simulated failure'));
        return;
      }
      world.check((checker) => checker.archived?.(number, letters, this.disk));
      // The process may die before it knows.
      process.after(random.below(faults.appendMilliseconds + 1), () => done(undefined));
    });
  }

  /** Everything is checked as it leaves. */
  private wire(): Wire {
    const { world, process, number, disk } = this;
    return {
      random: world.random,
      sendFrame: (frame) => {
        world.check((checker) => checker.frame?.(frame, disk, world.seats[frame.destination]!.disk));
        world.network.frame(frame);
      },
      acknowledge: (acknowledgement) => {
        world.check((checker) => checker.acknowledgement?.(acknowledgement, disk));
        world.network.acknowledgement(acknowledgement);
      },
      reply: (handle, result, position) => world.replied(handle, result, position, disk),
      runEffect: (_partition, sequence, effect, request) => {
        world.check((checker) => checker.effect?.(sequence, effect, request, disk));
        world.network.effect(number, sequence, effect, request);
      },
      archiveLetters: (letters, done) => this.archive(letters, done),
      publish: (batch, recipients) => {
        world.check((checker) => checker.published?.(batch, disk, recipients ?? []));
        world.gateway.published(batch, process.lifeNumber);
      },
      report: (problem) => world.check((checker) => checker.reported?.(problem)),
      watch: {
        begin(envelope) {
          world.runs(envelope);
          return true;
        },
        end: () => undefined,
      },
    };
  }
}
