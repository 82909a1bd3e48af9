/** A partition in a simulated process: its disk, which outlives it, and its ports, where things go wrong. */
import type { StoredLetter } from '../../src/runtime/letters.ts';
import { Partition } from '../../src/runtime/partition/partition.ts';
import type { PartitionPorts } from '../../src/runtime/ports.ts';
import { type Reader, SnapshotReader } from '../../src/runtime/storage/reader.ts';
import { MemoryLog, MemoryStore } from '../support/memory-log.ts';
import type { SimulatedProcess } from './process.ts';
import type { World } from './world.ts';

export class Seat {
  readonly number: number;
  readonly process: SimulatedProcess;
  readonly store = new MemoryStore();
  /** What is on disk now. */
  readonly disk: Reader = new SnapshotReader(this.store);
  private readonly world: World;
  private log = new MemoryLog(this.store);
  private current: Partition | undefined;
  private lastWish = 0;
  private unreadableUntil = 0;

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

  /** From now on nothing can be read from the disk, for so long. */
  blind(milliseconds: number): void {
    this.world.note(`partition ${this.number}: the disk cannot be read for ${milliseconds} ms`);
    this.unreadableUntil = this.world.timeline.now + milliseconds;
  }

  /** Its machine's idea of the time. */
  now(): number {
    return this.process.now();
  }

  open(): void {
    this.unreadableUntil = 0;
    this.log = new MemoryLog(this.store);
    this.log.failReads(() => !this.isReadable);
    this.log.onAppend = () => this.appended();
    const { placement, workload } = this.world;
    this.current = new Partition({
      number: this.number,
      placement,
      actors: workload.actors,
      keyspaces: workload.keyspaces,
      views: workload.views?.(this.number) ?? [],
      isStrict: true,
      ports: this.createPorts(),
    });
    this.world.check((checker) => checker.opened?.(this.number));
    this.current.open();
  }

  /** The process is gone; so many of the waiting appends reach the disk without anybody knowing. */
  crash(applied: number): void {
    this.log.crash(applied);
    this.current = undefined;
  }

  async close(): Promise<void> {
    const closing = this.current!;
    await closing.close();
    if (closing === this.current) this.current = undefined;
  }

  private appended(): void {
    if (this.log.waiting > 1) this.world.complain('bounds', `partition ${this.number} has two appends in flight`);
    const { log } = this;
    const { faults, random } = this.world;
    this.process.after(random.below(faults.appendMilliseconds + 1), () => {
      if (!random.chance(faults.appendFails)) {
        this.world.detail(() => `partition ${this.number}: an append completes`);
        log.complete();
        this.world.check((checker) => checker.committed?.(this.number, this.disk));
        return;
      }
      const applied = random.chance(faults.failedIsApplied);
      this.world.note(`partition ${this.number}: an append fails, ${applied ? 'but is' : 'and is not'} applied`);
      log.fail(new Error('simulated failure'), applied);
    });
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
      clock: { now: () => process.now() },
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
        world.check((checker) => checker.published?.(batch, this.disk, recipients));
        world.gateway.published(batch, process.lifeNumber);
      },
      defer: (callback) => process.after(0, callback),
      wakeAt: (milliseconds) => {
        this.lastWish += 1;
        const wish = this.lastWish;
        process.after(milliseconds - process.now(), () => {
          if (wish === this.lastWish) this.current?.wake();
        });
      },
      report: (problem) => world.check((checker) => checker.reported?.(problem)),
    };
  }
}
