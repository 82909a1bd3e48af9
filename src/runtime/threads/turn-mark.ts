/**
 * The file in which an owner marks the message that it is running. The memory of a thread outlives the thread; this
 * outlives the process, which a fault in native code or the kernel ends without a word. Nothing is synced: after a loss
 * of power nobody asks for the mark.
 *
 * A mark costs a system call for each turn (measured: 0.9 us to begin and as much to end it, of 277 for a post). So it is
 * made only for a while after a process that has not closed the data folder (src/server/turn-marks.ts).
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { threadLimits } from '../limits.ts';
import type { Problem } from '../ports.ts';

export class TurnMark {
  private readonly report: (problem: Problem) => void;
  private readonly path: string;
  /** Undefined once nothing is marked any more. */
  private file: number | undefined;

  constructor(path: string, report: (problem: Problem) => void) {
    this.path = path;
    this.report = report;
    this.guarded(() => {
      this.file = openSync(path, 'w', 0o600);
    });
    setTimeout(() => this.close(), threadLimits.marksMilliseconds).unref();
  }

  /** Replaces the beginning of the file. */
  write(record: Uint8Array): void {
    const { file } = this;
    if (file !== undefined) this.guarded(() => writeSync(file, record, 0, record.byteLength, 0));
  }

  private close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  /** A turn does not fail because the disk is full. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      this.report({ level: 'warn', message: `running messages are not marked any more in ${this.path}`, error });
      this.close();
    }
  }
}
