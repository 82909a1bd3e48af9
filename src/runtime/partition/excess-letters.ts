/**
 * Moves the oldest dead letters above the bounds from the database to an archive file. None is dropped without a report.
 *
 * INVARIANT a letter is deleted in a commit after it is in the file: a crash in between leaves it in both.
 */
import { type StoredLetter, storedLetter } from '../letters.ts';
import { partitionLimits } from '../limits.ts';
import type { PartitionPorts } from '../ports.ts';
import { deadLetterRecords } from '../storage/machine.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Staging } from './staging.ts';

export class ExcessLetters {
  private readonly staging: Staging;
  private readonly letters: DeadLetters;
  private readonly ports: Pick<PartitionPorts, 'archiveLetters' | 'clock' | 'report'>;
  /** The file is being written, or a failed write is followed by a pause. */
  private isWriting = false;
  private retryAt = 0;

  constructor(
    staging: Staging,
    letters: DeadLetters,
    ports: Pick<PartitionPorts, 'archiveLetters' | 'clock' | 'report'>,
  ) {
    this.staging = staging;
    this.letters = letters;
    this.ports = ports;
  }

  /**
   * Called after each commit. `proceed` gets the deletion to run once the file is written; the partition may then
   * refuse it.
   */
  released(proceed: (drop: () => void) => void): void {
    const { deadLettersMax, deadLettersBytesMax } = partitionLimits;
    const { count, bytes } = this.letters.kept;
    const excess = { count: count - deadLettersMax, bytes: bytes - deadLettersBytesMax };
    if (excess.count <= 0 && excess.bytes <= 0) return;
    if (this.isWriting || this.ports.clock.monotonic() < this.retryAt) return;
    const oldest = this.oldest(excess);
    if (oldest.length === 0) return;
    this.isWriting = true;
    this.ports.archiveLetters(oldest, (error) => {
      this.isWriting = false;
      if (error === undefined) proceed(() => this.drop(oldest));
      else {
        this.retryAt = this.ports.clock.monotonic() + partitionLimits.archivePauseMilliseconds;
        this.ports.report({
          level: 'error',
          message: 'excess dead letters could not be written to their archive file',
          error,
        });
      }
    });
  }

  /** So many that the excess is gone, or as many as are written at a time. */
  private oldest(excess: { readonly count: number; readonly bytes: number }): StoredLetter[] {
    const { lettersPerArchiveMax: limit, lettersPerArchiveBytesMax } = partitionLimits;
    const letters: StoredLetter[] = [];
    let bytes = 0;
    for (const { key, value } of this.staging.committedReader.range(deadLetterRecords, [], { limit })) {
      if (letters.length >= excess.count && bytes >= excess.bytes) break;
      bytes += value.byteLength;
      if (letters.length > 0 && bytes > lettersPerArchiveBytesMax) break;
      letters.push(storedLetter(key[0], value));
    }
    return letters;
  }

  private drop(archived: readonly StoredLetter[]): void {
    // The operator may have removed some meanwhile.
    for (const { sequence } of archived) if (this.letters.remove(sequence)) this.staging.meta.deadLettersArchived += 1;
  }
}
