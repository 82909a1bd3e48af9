/** In place of an entry that is not in the log any more, although a lane still has its number. */
import type { LogEntry } from './log.ts';

/** Its memory. */
const entryBytes = 400;
const nowhere: readonly string[] = [];
const nobody: readonly number[] = [];

export class MissingEntry implements LogEntry {
  readonly sequence: number;
  readonly bytes = entryBytes;
  readonly orderKey: bigint;
  readonly isFirstOfOrder = true;
  readonly expiresAt = Number.POSITIVE_INFINITY;
  readonly urgentAt = nobody;
  previous = 0;
  private readonly met: (host: number) => void;

  /** `met` is called with the number of each host at which its turn comes, once. */
  constructor(sequence: number, met: (host: number) => void) {
    this.sequence = sequence;
    this.orderKey = BigInt(sequence);
    this.met = met;
  }

  supersedes(): undefined {
    return undefined;
  }

  /** Lanes ask when its turn has come, once for each host. */
  targetsAt(host: number): readonly string[] {
    this.met(host);
    return nowhere;
  }

  prepare(): undefined {
    return undefined;
  }
}
