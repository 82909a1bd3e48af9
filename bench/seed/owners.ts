/**
 * The partitions of a data folder in this thread: the real actors over the real log, without gateways and without HTTP.
 * It is how databases are seeded (the only writer of rows is a turn) and how the way of a post into feeds is timed.
 */
import { actors, keyspaces } from '../../src/actors/catalogue.ts';
import type { Envelope } from '../../src/runtime/contract.ts';
import { fromWireFailure } from '../../src/runtime/errors.ts';
import type { Partition } from '../../src/runtime/partition/partition.ts';
import type { PartitionView } from '../../src/runtime/partition/views.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import type { CallResult } from '../../src/runtime/ports.ts';
import { LmdbLog } from '../../src/runtime/storage/lmdb-log.ts';
import type { PartitionLog } from '../../src/runtime/storage/log.ts';
import { openSnapshots, type Snapshots } from '../../src/runtime/storage/snapshots.ts';
import { openDataFolder } from '../../src/server/folder/data-folder.ts';
import { prepareFolder, recordCommits } from '../../src/server/folder/prepare.ts';
import { partitionMapBytes, partitionPath } from '../../src/server/partitions.ts';
import { PartitionHost, type Wire } from '../../test/support/partition-host.ts';
import { realTime } from '../../test/support/schedule.ts';

export interface OwnersOptions {
  readonly dataDirectory: string;
  readonly partitions: number;
  readonly views?: (partition: number) => readonly PartitionView[];
  /** Stands between a partition and its log, to look at what is appended. */
  readonly wrapLog?: (log: PartitionLog, partition: number) => PartitionLog;
}

export interface Owners {
  readonly partitions: readonly Partition[];
  /** Everything committed so far; call `fresh` before reading. */
  readonly snapshots: Snapshots;
  /** Rejects with the Failure of the actor. */
  call<Reply>(envelope: Envelope<Reply>, flow: string): Promise<Reply>;
  /** Settles when no message is on its way and nothing waits for a commit. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export async function openOwners(options: OwnersOptions): Promise<Owners> {
  const folder = openDataFolder(options.dataDirectory);
  const manifest = await prepareFolder(folder, { partitions: options.partitions, origin: undefined });
  const owners = new LocalOwners(options, () => recordCommits(folder, manifest));
  await Promise.all(owners.partitions.map((partition) => partition.open(manifest.epoch)));
  return owners;
}

class LocalOwners extends PartitionHost implements Owners {
  readonly partitions: readonly Partition[];
  readonly snapshots: Snapshots;
  private readonly closeSnapshots: () => Promise<void>;
  private readonly closeFolder: () => Promise<void>;

  constructor({ dataDirectory, partitions, views, wrapLog }: OwnersOptions, closeFolder: () => Promise<void>) {
    const placement = evenPlacement(partitions);
    const folder = openDataFolder(dataDirectory);
    const pathOf = (partition: number) => partitionPath(folder.path, partition);
    super(placement, (number) => ({ actors, keyspaces, views: views?.(number) ?? [] }));
    this.partitions = Array.from({ length: partitions }, (_, number) => {
      const log = new LmdbLog({ path: pathOf(number), mapBytes: partitionMapBytes });
      return this.start(number, { log: wrapLog?.(log, number) ?? log, schedule: realTime, wire });
    });
    const opened = openSnapshots(placement, pathOf, partitionMapBytes);
    this.snapshots = opened.snapshots;
    this.closeSnapshots = opened.close;
    this.closeFolder = closeFolder;
  }

  async call<Reply>(envelope: Envelope<Reply>, flow: string): Promise<Reply> {
    const result = await new Promise<CallResult>((resolve) => this.submit(envelope, resolve, { flow }));
    if (!result.ok) throw fromWireFailure(result.failure);
    return result.value as Reply;
  }

  async settled(): Promise<void> {
    while (!this.isSettled) await new Promise((resolve) => setImmediate(resolve));
  }

  override async close(): Promise<void> {
    await this.settled();
    await super.close();
    await this.closeSnapshots();
    await this.closeFolder();
  }
}

/** Nothing that is seeded or timed here asks another server for anything, or reads events. */
const wire: Wire = {
  runEffect: (_partition, _sequence, effect) => {
    throw new Error(`the effect ${effect} has nobody to run it`);
  },
  publish: () => undefined,
  report: ({ message, error }) => {
    throw new Error(message, { cause: error });
  },
};
