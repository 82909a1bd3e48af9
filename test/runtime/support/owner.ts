/** Partitions over LMDB in one thread with real time and no other threads: a minimal owner. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ActorImplementation, Envelope } from '../../../src/runtime/contract.ts';
import { Partition } from '../../../src/runtime/partition/partition.ts';
import { evenPlacement, partitionOfEnvelope } from '../../../src/runtime/placement.ts';
import type { CallResult, PartitionPorts, Placement, Problem } from '../../../src/runtime/ports.ts';
import { checkServer } from '../../../src/runtime/storage/check-server.ts';
import type { AnyKeyspace } from '../../../src/runtime/storage/keyspace.ts';
import { LmdbLog } from '../../../src/runtime/storage/lmdb-log.ts';
import type { PartitionLog } from '../../../src/runtime/storage/log.ts';
import { type Reader, SnapshotReader } from '../../../src/runtime/storage/reader.ts';
import { systemClock } from '../../../src/runtime/threads/clock.ts';

export interface OwnerOptions {
  folder: string;
  partitions: number;
  actors: readonly ActorImplementation[];
  keyspaces: readonly AnyKeyspace[];
  runEffect(effect: number, request: unknown): unknown;
  report(problem: Problem): void;
}

export class Owner {
  readonly placement: Placement;
  private readonly logs: PartitionLog[] = [];
  private readonly partitions: Partition[] = [];
  private readonly answered = new Map<number, (result: CallResult) => void>();
  private readonly keyspaces: OwnerOptions['keyspaces'];
  private lastCall = 0;

  constructor(options: OwnerOptions) {
    this.placement = evenPlacement(options.partitions);
    this.keyspaces = options.keyspaces;
    for (let number = 0; number < options.partitions; number += 1) {
      const log = new LmdbLog({ path: join(options.folder, `partition-${number}`), mapBytes: 1 << 30 });
      this.logs.push(log);
      const { actors, keyspaces } = options;
      const ports = this.createPorts(number, log, options);
      this.partitions.push(new Partition({ number, placement: this.placement, actors, keyspaces, ports }));
    }
    for (const partition of this.partitions) void partition.open(1);
  }

  get isSettled(): boolean {
    return this.partitions.every((partition) => partition.isSettled);
  }

  /** What each partition has on disk. */
  disks(): Reader[] {
    return this.logs.map(({ reader }) => {
      reader.refresh();
      return new SnapshotReader(reader);
    });
  }

  /** What is wrong with the entries of all partitions, which must be at rest. */
  problems(): string[] {
    const { placement } = this;
    const readers = this.logs.map(({ reader }) => reader);
    for (const reader of readers) reader.refresh();
    return checkServer({ placement, readers, keyspaces: this.keyspaces, rules: [] }).partitions.flatMap(
      ({ problems }) => problems,
    );
  }

  call(envelope: Envelope, flow: string, answered: (result: CallResult) => void): void {
    this.lastCall += 1;
    this.answered.set(this.lastCall, answered);
    const partition = this.partitions[partitionOfEnvelope(this.placement, envelope)]!;
    partition.submit({ envelope, flow, replyTo: [1, 1, this.lastCall], deadline: Number.POSITIVE_INFINITY });
  }

  async close(): Promise<void> {
    await Promise.all(this.partitions.map((partition) => partition.close()));
  }

  private createPorts(number: number, log: PartitionLog, options: OwnerOptions): PartitionPorts {
    const { partitions } = this;
    let timer: NodeJS.Timeout | undefined;
    return {
      log,
      clock: systemClock,
      random: { bytes: (count) => randomBytes(count) },
      sendFrame: (frame) => void setImmediate(() => partitions[frame.destination]!.receive(frame)),
      acknowledge: (acknowledgement) => partitions[acknowledgement.source]!.acknowledged(acknowledgement),
      reply: ([, , call], result) => {
        this.answered.get(call)?.(result);
        this.answered.delete(call);
      },
      runEffect: (_partition, sequence, effect, request) =>
        void setImmediate(() => partitions[number]!.effectAnswered(sequence, options.runEffect(effect, request))),
      archiveLetters: (_letters, done) => done(undefined),
      publish: () => undefined,
      defer: (callback) => void setImmediate(callback),
      wakeIn: (milliseconds) => {
        clearTimeout(timer);
        timer = setTimeout(() => partitions[number]!.wake(), Math.ceil(milliseconds));
        timer.unref();
      },
      report: (problem) => options.report(problem),
    };
  }
}
