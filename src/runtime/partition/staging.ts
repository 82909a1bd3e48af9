/**
 * What a partition has done and the disk does not have yet: the filling batch, the batches under way, the counters.
 * Reads go through all of it, newest first.
 */

import { partitionLimits } from '../limits.ts';
import { Committed } from '../storage/committed.ts';
import type { Layer } from '../storage/layer.ts';
import type { LogTail, StorageReader } from '../storage/log.ts';
import { DamagedCounters } from '../storage/log-state.ts';
import { meta, metaRecords, type PartitionMeta, startingMeta } from '../storage/machine.ts';
import { CommittedReader, LayeredReader, type Reader } from '../storage/reader.ts';
import type { EffectsStaged } from './asked-effects.ts';
import { Batch } from './batch.ts';
import { decodeRecord } from './undecodable.ts';

export class Staging {
  readonly snapshot: StorageReader;
  readonly committed: Committed;
  /** What a turn that began now would see. */
  readonly reader: Reader;
  /** Reads what is on disk: for code outside of turns. */
  readonly committedReader: Reader;
  filling = new Batch();
  /** Appended, not yet confirmed by the log; oldest first. */
  readonly underWay: Batch[] = [];
  meta: PartitionMeta = { ...startingMeta };

  /** `damageMet` gets the key of an entry that code outside of turns could not decode. */
  constructor(snapshot: StorageReader, moreEmptyScopesBytes: number | undefined, damageMet: (key: Uint8Array) => void) {
    this.snapshot = snapshot;
    this.committed = new Committed(snapshot, moreEmptyScopesBytes);
    this.reader = new StagingReader(this, damageMet);
    this.committedReader = new CommittedReader(this.committed, snapshot, ({ entry }) => damageMet(entry.key));
  }

  /** False when the filling batch has its maximum size and waits for room in the log. */
  get hasRoom(): boolean {
    const { bytes, turns } = this.filling;
    const { batchBytesMax, batchTurnsMax } = partitionLimits;
    return bytes < batchBytesMax && turns < batchTurnsMax && this.hasInboxRoom(0, 0);
  }

  /** False when the filling batch and what it may still add would fill the inbox. */
  hasInboxRoom(messages: number, bytes: number): boolean {
    const { inboxMessages, inboxBytes } = this.filling;
    const { inboxMessagesMax, inboxBytesMax } = partitionLimits;
    return inboxMessages + messages < inboxMessagesMax && inboxBytes + bytes < inboxBytesMax;
  }

  /** Effects that turns have asked for, and that are not on disk yet. */
  get effectsStaged(): EffectsStaged {
    let { length: count } = this.filling.effects;
    let bytes = this.filling.effectBytes;
    for (const { effects, effectBytes } of this.underWay) {
      count += effects.length;
      bytes += effectBytes;
    }
    return { count, bytes };
  }

  /** Drops what is not on disk, and continues from where the log stands. */
  open({ position, epoch }: LogTail): void {
    this.filling = new Batch();
    this.underWay.length = 0;
    this.committed.reopen();
    this.meta = { ...startingMeta, ...this.storedMeta(), commit: position, epoch };
  }

  /** Throws DamagedCounters for a record that cannot be decoded: a partition without its counters runs nothing. */
  private storedMeta(): PartitionMeta | undefined {
    const record = this.reader.get(metaRecords, [0]);
    try {
      return record === undefined ? undefined : decodeRecord(meta, record);
    } catch (error) {
      throw new DamagedCounters(error);
    }
  }

  /** Returns the batch that was filling; a new one fills from now on. */
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
  private readonly damageMet: (key: Uint8Array) => void;

  constructor(staging: Staging, damageMet: (key: Uint8Array) => void) {
    super(staging.committed);
    this.staging = staging;
    this.damageMet = damageMet;
  }

  protected override leftOut(key: Uint8Array): void {
    this.damageMet(key);
  }

  protected override layers(): readonly Layer[] {
    return this.staging.layers();
  }
}
