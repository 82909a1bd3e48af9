/** A partition in a simulated process: its disk, which outlives it, and its ports, where things go wrong. */
import type { StoredLetter } from '../../src/runtime/letters.ts';
import { Partition } from '../../src/runtime/partition/partition.ts';
import type { PartitionPorts } from '../../src/runtime/ports.ts';
import { barrier } from '../../src/runtime/storage/log-state.ts';
import { type Reader, SnapshotReader } from '../../src/runtime/storage/reader.ts';
import { MemoryLog, MemoryStore } from '../support/memory-log.ts';
import type { SimulatedProcess } from './process.ts';
import type { World } from './world.ts';

export class Seat {
  readonly number: number;
  readonly process: SimulatedProcess;
  readonly store = new MemoryStore();
  /** The current content of the disk. */
  readonly disk: Reader = new SnapshotReader(this.store);
  private readonly world: World;
  private log = new MemoryLog(this.store);
  private current: Partition | undefined;
  private lastWish = 0;
  private unreadableUntil = 0;
  private unreachableUntil = 0;

  constructor(number: number, process: SimulatedProcess, world: World) {
    this.number = number;
    this.process = process;
    this.world = world;
  }

  /** Undefined while its process is down. */
  get partition(): Partition | undefined {
    return this.current;
  }

  get isReadable(): boolean {
    return this.world.timeline.now >= this.unreadableUntil;
  }

  /** Makes the disk unreadable for some time. */
  blind(milliseconds: number): void {
    this.world.note(`partition ${this.number}: the disk cannot be read for ${milliseconds} ms`);
    this.unreadableUntil = this.world.timeline.now + milliseconds;
  }

  /** The time of its process' clock. */
  now(): number {
    return this.process.now();
  }

  open(): void {
    this.unreadableUntil = 0;
    this.unreachableUntil = 0;
    this.log = new MemoryLog(this.store);
    this.log.failReads(() => !this.isReadable);
    this.log.onAppend = () => this.appended();
    this.log.onQuestion = (answer) => this.process.after(this.appendDelay(), answer);
    this.log.isUnreachable = () => this.world.timeline.now < this.unreachableUntil;
    const { placement, workload } = this.world;
    this.current = new Partition({
      number: this.number,
      placement,
      actors: workload.actors,
      keyspaces: workload.keyspaces,
      views: workload.views?.(this.number) ?? [],
      isStrict: true,
      appendsMax: this.world.faults.appendsMax,
      ports: this.createPorts(),
    });
    this.world.check((checker) => checker.opened?.(this.number));
    void this.current.open(this.world.nextEpoch());
  }

  /** The process has crashed; `applied` of the waiting appends reach the disk unnoticed. */
  crash(applied: number): void {
    this.log.crash(applied);
    this.current = undefined;
  }

  async close(): Promise<void> {
    const closing = this.current!;
    await closing.close();
    if (closing === this.current) this.current = undefined;
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

  private createPorts(): PartitionPorts {
    const { world, process, number } = this;
    return {
      log: this.log,
      clock: { now: () => process.now(), monotonic: () => world.monotonic() },
      random: { bytes: (count) => world.random.bytes(count) },
      sendFrame: (frame) => {
        world.check((checker) => checker.frame?.(frame, this.disk, world.seats[frame.destination]!.disk));
        world.network.frame(frame);
      },
      acknowledge: (acknowledgement) => {
        world.check((checker) => checker.acknowledgement?.(acknowledgement, this.disk));
        world.network.acknowledgement(acknowledgement);
      },
      reply: (handle, result, position) => world.replied(handle, result, position, this.disk),
      runEffect: (_partition, sequence, effect, request) => {
        world.check((checker) => checker.effect?.(sequence, effect, request, this.disk));
        world.network.effect(number, sequence, effect, request);
      },
      archiveLetters: (letters, done) => this.archive(letters, done),
      publish: (batch, recipients) => {
        world.check((checker) => checker.published?.(batch, this.disk, recipients ?? []));
        world.gateway.published(batch, process.lifeNumber);
      },
      defer: (callback) => process.after(0, callback),
      wakeIn: (milliseconds) => {
        this.lastWish += 1;
        const wish = this.lastWish;
        process.after(milliseconds, () => {
          if (wish === this.lastWish) this.current?.wake();
        });
      },
      report: (problem) => world.check((checker) => checker.reported?.(problem)),
    };
  }
}
