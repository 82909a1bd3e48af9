/**
 * Moves the oldest dead letters above the bound from the database to an archive file. None is dropped without a report.
 *
 * INVARIANT a letter is deleted in a commit after it is in the file: a crash in between leaves it in both.
 */
import { type StoredLetter, storedLetter } from '../letters.ts';
import { partitionLimits } from '../limits.ts';
import type { PartitionPorts } from '../ports.ts';
import { deadLetterRecords, deadLetters } from '../storage/machine.ts';
import type { Staging } from './staging.ts';

export class ExcessLetters {
  private readonly staging: Staging;
  private readonly ports: Pick<PartitionPorts, 'archiveLetters' | 'clock' | 'report'>;
  /** The file is being written, or a failed write is followed by a pause. */
  private isWriting = false;
  private retryAt = 0;

  constructor(staging: Staging, ports: Pick<PartitionPorts, 'archiveLetters' | 'clock' | 'report'>) {
    this.staging = staging;
    this.ports = ports;
  }

  /**
   * Called after each commit. `proceed` gets the deletion to run once the file is written; the partition may then
   * refuse it.
   */
  released(proceed: (drop: () => void) => void): void {
    const excess = this.staging.meta.deadLettersKept - partitionLimits.deadLettersMax;
    if (excess <= 0 || this.isWriting || this.ports.clock.monotonic() < this.retryAt) return;
    const oldest = this.oldest(Math.min(excess, partitionLimits.lettersPerArchiveMax));
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

  /** At most so many; fewer where they are large. */
  private oldest(limit: number): StoredLetter[] {
    const letters: StoredLetter[] = [];
    let bytes = 0;
    for (const { key, value } of this.staging.committedReader.range(deadLetterRecords, [], { limit })) {
      bytes += value.byteLength;
      if (letters.length > 0 && bytes > partitionLimits.lettersPerArchiveBytesMax) break;
      letters.push(storedLetter(key[0], value));
    }
    return letters;
  }

  private drop(archived: readonly StoredLetter[]): void {
    const { filling, meta, reader } = this.staging;
    for (const { sequence } of archived) {
      // The operator may have removed it meanwhile.
      if (reader.get(deadLetterRecords, [sequence]) === undefined) continue;
      filling.delete(deadLetters, [sequence]);
      meta.deadLettersKept -= 1;
      meta.deadLettersArchived += 1;
    }
  }
}
