/** Partitions over LMDB in one thread with real time and no other threads: a minimal owner. */
import { join } from 'node:path';
import type { ActorImplementation } from '../../../src/runtime/contract.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import type { Problem } from '../../../src/runtime/ports.ts';
import { checkServer } from '../../../src/runtime/storage/check-server.ts';
import type { AnyKeyspace } from '../../../src/runtime/storage/keyspace.ts';
import { LmdbLog } from '../../../src/runtime/storage/lmdb-log.ts';
import type { PartitionLog } from '../../../src/runtime/storage/log.ts';
import { type Reader, SnapshotReader } from '../../../src/runtime/storage/reader.ts';
import { PartitionHost, type Wire } from '../../support/partition-host.ts';
import { realTime } from '../../support/schedule.ts';

export interface OwnerOptions {
  folder: string;
  partitions: number;
  actors: readonly ActorImplementation[];
  keyspaces: readonly AnyKeyspace[];
  runEffect(effect: number, request: unknown): unknown;
  report(problem: Problem): void;
}

export class Owner extends PartitionHost {
  private readonly logs: readonly PartitionLog[];
  private readonly keyspaces: OwnerOptions['keyspaces'];

  constructor({ folder, partitions, actors, keyspaces, runEffect, report }: OwnerOptions) {
    super(evenPlacement(partitions), () => ({ actors, keyspaces }));
    this.keyspaces = keyspaces;
    const pathOf = (number: number) => join(folder, `partition-${number}`);
    this.logs = Array.from(
      { length: partitions },
      (_, number) => new LmdbLog({ path: pathOf(number), mapBytes: 1 << 30 }),
    );
    for (const [number, log] of this.logs.entries()) {
      const run: Wire['runEffect'] = (_partition, sequence, effect, request) =>
        realTime.soon(() => this.partition(number)?.effectAnswered(sequence, runEffect(effect, request)));
      void this.start(number, { log, schedule: realTime, wire: { runEffect: run, report } }).open(1);
    }
  }

  /** What each partition has on disk. */
  disks(): Reader[] {
    return this.logs.map(({ reader }) => {
      reader.refresh();
      return new SnapshotReader(reader);
    });
  }

  /** What is wrong with the entries of all partitions, which must be at rest. */
  unsound(): string[] {
    const { placement } = this;
    const readers = this.logs.map(({ reader }) => reader);
    for (const reader of readers) reader.refresh();
    return checkServer({ placement, readers, keyspaces: this.keyspaces, rules: [] }).partitions.flatMap(
      ({ problems }) => problems,
    );
  }
}
