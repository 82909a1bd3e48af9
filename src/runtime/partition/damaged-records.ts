/**
 * Records of actors' state and of the event log that cannot be decoded, and entries whose key is none of their keyspace.
 * Each that a turn, a view or another thread meets becomes a dead letter with its bytes and its place, which the operator
 * sees. It stays where it is. What needs the record keeps failing until it is repaired or deleted by command, and nothing
 * takes it for one that was never there. Only statistics begin anew (`beginsAnewIfDamaged`): the turn that meets the
 * record deletes it. Events leave the log with those of their time. Entries under odd keys are left out of ranges.
 *
 * INVARIANTS
 * 1. While there is a letter with a record's place and bytes, no other is written.
 * 2. A turn that failed over a record commits its letter before its caller knows.
 */
import { hash } from 'node:crypto';
import { readEvents } from '../events/event-record.ts';
import { isOfEventLog, lettersOf } from '../letters.ts';
import { partitionLimits } from '../limits.ts';
import type { PartitionPorts } from '../ports.ts';
import { damageOf, nameOfEntry, oddKeyError } from '../storage/damaged-entry.ts';
import type { AnyKeyspace } from '../storage/keyspace.ts';
import { assertCounters } from '../storage/log-state.ts';
import { events, machineKeyspaces, meta } from '../storage/machine.ts';
import type { Batch } from './batch.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Staging } from './staging.ts';
import { letterOfRecord } from './undecodable.ts';

export interface DamagedRecordsOptions {
  readonly partition: number;
  /** Of the domain; the runtime's own are added. */
  readonly keyspaces: readonly AnyKeyspace[];
  readonly staging: Staging;
  readonly letters: DeadLetters;
  readonly ports: Pick<PartitionPorts, 'report'>;
}

export class DamagedRecords {
  private readonly options: DamagedRecordsOptions;
  private readonly byNumber: ReadonlyMap<number, AnyKeyspace>;
  /** Keys that were met outside of turns, in latin1. */
  private readonly waiting = new Set<string>();
  /** Records met since the partition was opened, without those that were deleted by command. */
  private readonly known = new Set<string>();
  /** Records that had a letter when the first damage was met, without those that were deleted by command. */
  private kept: Set<string> | undefined;
  /** Letters written or left out since the partition was opened. */
  private letterCount = 0;

  constructor(options: DamagedRecordsOptions) {
    this.options = options;
    this.byNumber = new Map([...machineKeyspaces, ...options.keyspaces].map((space) => [space.number, space]));
  }

  /** What was not committed is gone. */
  open(): void {
    this.known.clear();
    this.kept = undefined;
    this.letterCount = 0;
  }

  /** How many records are known to be damaged. */
  get count(): number {
    return this.known.size;
  }

  get hasWork(): boolean {
    return this.waiting.size > 0;
  }

  /** Somebody could not decode the value of this key. It is looked at in the next slice. */
  met(key: Uint8Array): void {
    if (this.waiting.size < partitionLimits.damagedRecordsMax) this.waiting.add(Buffer.from(key).toString('latin1'));
  }

  /**
   * Looks at what was met, while the batch has room. Throws StorageFailure, and DamagedCounters where that was met; then
   * the rest keeps waiting.
   */
  run(): void {
    for (const key of this.waiting) {
      if (!this.options.staging.hasRoom) return;
      this.setAside(Buffer.from(key, 'latin1'));
      this.waiting.delete(key);
    }
  }

  /**
   * Writes the letter of a record, in the filling batch if no other is given. Nothing happens where the record is sound
   * or has one.
   */
  setAside(key: Uint8Array, batch?: Batch): void {
    const space = this.byNumber.get(key[2]!);
    const bytes = space === undefined ? undefined : this.stored(key);
    if (space === undefined || bytes === undefined) return;
    if (space.number === meta.number) assertCounters(bytes);
    const error = errorOf(space, key, bytes);
    const record = nameOf(key, bytes);
    if (error === undefined || this.known.has(record)) return;
    // A record that begins anew is deleted: its letter, the only copy of its bytes, is written above the bounds too.
    const beginsAnewIfDamaged = space.beginsAnewIfDamaged && space.isKey(key);
    if (this.known.size >= partitionLimits.damagedRecordsMax && !beginsAnewIfDamaged) return;
    this.known.add(record);
    this.kept ??= this.lettersKept();
    if (this.kept.has(record) || !(beginsAnewIfDamaged || this.mayWrite())) return;
    const { partition, letters, ports } = this.options;
    const place = nameOfEntry(space, key);
    const message = `${place} cannot be decoded: partition ${partition} sets its bytes aside as a dead letter, and ${fateOf(space, beginsAnewIfDamaged)}`;
    ports.report({ level: 'error', message, error });
    letters.addRecord(letterOfRecord(place, bytes), error, key, batch);
  }

  /**
   * Deletes a record by command. False where it is not there any more, has other bytes than its letter, or is one of the
   * event log.
   */
  delete(key: Uint8Array, bytes: Uint8Array): boolean {
    if (isOfEventLog({ recordKey: key })) return false;
    const space = this.byNumber.get(key[2]!);
    const found = space === undefined ? undefined : this.stored(key);
    if (space === undefined || found === undefined || Buffer.compare(found, bytes) !== 0) return false;
    const { filling } = this.options.staging;
    filling.layer.set(Buffer.from(key).toString('latin1'), space.scopeBytes, undefined);
    filling.deletesUntold = true;
    const record = nameOf(key, bytes);
    this.known.delete(record);
    this.kept?.delete(record);
    return true;
  }

  /** Undefined where a turn is replacing it. */
  private stored(key: Uint8Array): Uint8Array | undefined {
    const { staging } = this.options;
    const text = Buffer.from(key).toString('latin1');
    if (staging.layers().some(({ entries }) => entries.has(text))) return undefined;
    const bytes = staging.snapshot.get(key);
    return bytes === undefined ? undefined : Uint8Array.from(bytes);
  }

  private mayWrite(): boolean {
    const { recordLettersMax } = partitionLimits;
    this.letterCount += 1;
    if (this.letterCount === recordLettersMax + 1) {
      const message = `partition ${this.options.partition} writes no more letters of damaged records: it met more than ${recordLettersMax}; "murmuration check" finds all of them`;
      this.options.ports.report({ level: 'error', message });
    }
    return this.letterCount <= recordLettersMax;
  }

  private lettersKept(): Set<string> {
    const kept = new Set<string>();
    for (const { recordKey, message } of lettersOf(this.options.staging.reader))
      if (recordKey !== undefined) kept.add(nameOf(recordKey, message[3] as Uint8Array));
    return kept;
  }
}

function fateOf({ number }: AnyKeyspace, beginsAnew: boolean): string {
  if (number === events.number) return 'streams that resume before it get a gap';
  return beginsAnew ? 'the statistics begin anew' : 'leaves it where it is';
}

/** Undefined for a sound entry, and for other values of the runtime's own: that damage is handled where they are read. */
function errorOf(space: AnyKeyspace, key: Uint8Array, bytes: Uint8Array): unknown {
  if (!space.isKey(key)) return oddKeyError();
  if (space.number === events.number) return readEvents(bytes).damage;
  return space.owner === 'machine' ? undefined : damageOf(space, bytes);
}

/** The same for the same bytes in the same place. */
function nameOf(key: Uint8Array, bytes: Uint8Array): string {
  return `${Buffer.from(key).toString('latin1')} ${hash('sha256', bytes)}`;
}
