/**
 * The partitions of a data folder in this thread: the real actors over the real log, without gateways and without HTTP.
 * It is how databases are seeded (the only writer of rows is a turn) and how the way of a post into feeds is timed.
 */
import { randomBytes } from 'node:crypto';
import { actors, keyspaces } from '../../src/actors/catalogue.ts';
import type { Envelope } from '../../src/runtime/contract.ts';
import { fromWireFailure } from '../../src/runtime/errors.ts';
import { Partition } from '../../src/runtime/partition/partition.ts';
import type { PartitionView } from '../../src/runtime/partition/views.ts';
import { evenPlacement, partitionOfEnvelope } from '../../src/runtime/placement.ts';
import type { CallResult, PartitionPorts } from '../../src/runtime/ports.ts';
import { LmdbLog } from '../../src/runtime/storage/lmdb-log.ts';
import type { PartitionLog } from '../../src/runtime/storage/log.ts';
import { openSnapshots, type Snapshots } from '../../src/runtime/storage/snapshots.ts';
import { systemClock } from '../../src/runtime/threads/clock.ts';
import { openDataFolder } from '../../src/server/folder/data-folder.ts';
import { prepareFolder } from '../../src/server/folder/prepare.ts';
import { partitionMapBytes, partitionPath } from '../../src/server/partitions.ts';

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
  const { epoch } = await prepareFolder(folder, { partitions: options.partitions, origin: undefined });
  const owners = new LocalOwners(options);
  await Promise.all(owners.partitions.map((partition) => partition.open(epoch)));
  return owners;
}

class LocalOwners implements Owners {
  readonly partitions: readonly Partition[];
  readonly snapshots: Snapshots;
  private readonly placement;
  private readonly closeSnapshots: () => Promise<void>;
  private readonly replies = new Map<number, (result: CallResult) => void>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private lastCall = 0;

  constructor({ dataDirectory, partitions, views, wrapLog }: OwnersOptions) {
    this.placement = evenPlacement(partitions);
    const folder = openDataFolder(dataDirectory);
    const pathOf = (partition: number) => partitionPath(folder.path, partition);
    this.partitions = Array.from({ length: partitions }, (_, number) => {
      const log = new LmdbLog({ path: pathOf(number), mapBytes: partitionMapBytes });
      return new Partition({
        number,
        placement: this.placement,
        actors,
        keyspaces,
        views: views?.(number) ?? [],
        ports: this.createPorts(number, wrapLog?.(log, number) ?? log),
      });
    });
    const opened = openSnapshots(this.placement, pathOf, partitionMapBytes);
    this.snapshots = opened.snapshots;
    this.closeSnapshots = opened.close;
  }

  async call<Reply>(envelope: Envelope<Reply>, flow: string): Promise<Reply> {
    this.lastCall += 1;
    const call = this.lastCall;
    const result = await new Promise<CallResult>((resolve) => {
      this.replies.set(call, resolve);
      const partition = this.partitions[partitionOfEnvelope(this.placement, envelope)]!;
      partition.submit({ envelope, flow, replyTo: [0, 0, call], deadline: Number.POSITIVE_INFINITY });
    });
    if (!result.ok) throw fromWireFailure(result.failure);
    return result.value as Reply;
  }

  async settled(): Promise<void> {
    while (!this.partitions.every((partition) => partition.isSettled))
      await new Promise((resolve) => setImmediate(resolve));
  }

  async close(): Promise<void> {
    await this.settled();
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all(this.partitions.map((partition) => partition.close()));
    await this.closeSnapshots();
  }

  private createPorts(number: number, log: PartitionLog): PartitionPorts {
    let wake: NodeJS.Timeout | undefined;
    return {
      log,
      clock: systemClock,
      random: { bytes: (count) => randomBytes(count) },
      sendFrame: (frame) => void setImmediate(() => this.partitions[frame.destination]!.receive(frame)),
      acknowledge: (acknowledgement) => this.partitions[acknowledgement.source]!.acknowledged(acknowledgement),
      reply: (handle, result) => {
        this.replies.get(handle[2])?.(result);
        this.replies.delete(handle[2]);
      },
      // Nothing that is seeded or timed here asks another server for anything.
      runEffect: (_partition, _sequence, effect) => {
        throw new Error(`the effect ${effect} has nobody to run it`);
      },
      archiveLetters: (_letters, done) => done(undefined),
      publish: () => undefined,
      defer: (callback) => void setImmediate(callback),
      wakeIn: (milliseconds) => {
        clearTimeout(wake);
        if (wake !== undefined) this.timers.delete(wake);
        wake = setTimeout(() => this.partitions[number]!.wake(), Math.min(Math.ceil(milliseconds), 2 ** 31 - 1));
        wake.unref();
        this.timers.add(wake);
      },
      report: ({ message, error }) => {
        throw new Error(message, { cause: error });
      },
    };
  }
}
