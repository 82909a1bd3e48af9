/**
 * What a partition has done and the disk does not know yet: the filling batch, the batches under way, the counters.
 * Reading goes through all of it, the newest first.
 */

import { lettersOf } from '../letters.ts';
import { partitionLimits } from '../limits.ts';
import { Committed } from '../storage/committed.ts';
import type { Layer } from '../storage/layer.ts';
import { type LogTail, StorageFailure, type StorageReader } from '../storage/log.ts';
import { meta, metaRecords, notCounted, type PartitionMeta, startingMeta } from '../storage/machine.ts';
import { CommittedReader, LayeredReader, type Reader } from '../storage/reader.ts';
import { Batch } from './batch.ts';
import { decodeRecord } from './undecodable.ts';

export class Staging {
  readonly snapshot: StorageReader;
  readonly committed: Committed;
  /** What a turn that began now would see. */
  readonly reader: Reader;
  /** What is on disk: for whoever stands outside the turns. */
  readonly committedReader: Reader;
  filling = new Batch();
  /** Appended, and not known to be in the log; oldest first. */
  readonly underWay: Batch[] = [];
  meta: PartitionMeta = { ...startingMeta };

  constructor(snapshot: StorageReader) {
    this.snapshot = snapshot;
    this.committed = new Committed(snapshot);
    this.reader = new StagingReader(this);
    this.committedReader = new CommittedReader(this.committed, snapshot);
  }

  /** False when the filling batch waits, as large as it may be, for room in the log. */
  get hasRoom(): boolean {
    const { bytes, turns } = this.filling;
    const { batchBytesMax, batchTurnsMax } = partitionLimits;
    return bytes < batchBytesMax && turns < batchTurnsMax && this.hasInboxRoom(0, 0);
  }

  /** False when the filling batch puts as much into the inbox as that may hold, with so much that may still come to it. */
  hasInboxRoom(messages: number, bytes: number): boolean {
    const { inboxMessages, inboxBytes } = this.filling;
    const { inboxMessagesMax, inboxBytesMax } = partitionLimits;
    return inboxMessages + messages < inboxMessagesMax && inboxBytes + bytes < inboxBytesMax;
  }

  /** Drops what is not on disk, and goes on from where the log stands. */
  open({ position, epoch }: LogTail): void {
    this.filling = new Batch();
    this.underWay.length = 0;
    this.committed.reopen();
    this.meta = { ...startingMeta, ...this.storedMeta(), commit: position, epoch };
    if (this.meta.deadLettersKept === notCounted) this.meta.deadLettersKept = [...lettersOf(this.reader)].length;
  }

  /** Throws StorageFailure where it cannot be decoded: a partition that does not know its counters runs nothing. */
  private storedMeta(): PartitionMeta | undefined {
    const record = this.reader.get(metaRecords, [0]);
    try {
      return record === undefined ? undefined : decodeRecord(meta, record);
    } catch (error) {
      throw new StorageFailure(error);
    }
  }

  /** The batch that was filling; another one fills from now on. */
  nextBatch(): Batch {
    const batch = this.filling;
    this.filling = new Batch();
    return batch;
  }

  /** The oldest batch under way is on disk. */
  landed(): void {
    const batch = this.underWay.shift()!;
    this.committed.landed(batch.layer);
  }

  /** Newest first. */
  layers(): Layer[] {
    const layers: Layer[] = [];
    if (this.filling.layer.size > 0) layers.push(this.filling.layer);
    for (let index = this.underWay.length - 1; index >= 0; index -= 1) layers.push(this.underWay[index]!.layer);
    return layers;
  }
}

class StagingReader extends LayeredReader {
  private readonly staging: Staging;

  constructor(staging: Staging) {
    super(staging.committed);
    this.staging = staging;
  }

  protected override layers(): readonly Layer[] {
    return this.staging.layers();
  }
}
