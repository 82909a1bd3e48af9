/**
 * Durable messages whose turn could not read the disk. They are not at fault: they stay in the inbox, their actors
 * rest, and all are tried again after a pause that doubles while the disk keeps failing.
 */
import { partitionLimits } from '../limits.ts';
import type { PartitionPorts } from '../ports.ts';
import type { Mailboxes, Work } from './mailboxes.ts';

export class Postponed {
  private readonly mailboxes: Mailboxes;
  private readonly ports: Pick<PartitionPorts, 'clock' | 'report'>;
  private failuresInRow = 0;
  private resumeAt = Number.POSITIVE_INFINITY;
  private lastResumedAt = Number.NEGATIVE_INFINITY;
  private lastCallReportedAt = Number.NEGATIVE_INFINITY;

  constructor(mailboxes: Mailboxes, ports: Pick<PartitionPorts, 'clock' | 'report'>) {
    this.mailboxes = mailboxes;
    this.ports = ports;
  }

  /** When to try resting messages again. */
  get nextAt(): number {
    return this.resumeAt;
  }

  /** Adds a message of the inbox. All that fail before the pause ends share one pause and one report. */
  add(work: Work, error: unknown): void {
    this.mailboxes.rest(work);
    if (this.resumeAt !== Number.POSITIVE_INFINITY) return;
    const { failurePauseMilliseconds, failurePauseMillisecondsMax } = partitionLimits;
    const now = this.ports.clock.monotonic();
    if (now > this.lastResumedAt + failurePauseMillisecondsMax) this.failuresInRow = 0;
    const pause = Math.min(failurePauseMilliseconds * 2 ** this.failuresInRow, failurePauseMillisecondsMax);
    this.failuresInRow += 1;
    this.resumeAt = now + pause;
    this.ports.report({ level: 'error', message: `the storage could not be read: messages wait ${pause} ms`, error });
  }

  /** A call that could not read was refused: its caller may repeat it. Reported once in a while for all of them. */
  refusedCall(error: unknown): void {
    const now = this.ports.clock.monotonic();
    if (now < this.lastCallReportedAt + partitionLimits.failurePauseMillisecondsMax) return;
    this.lastCallReportedAt = now;
    this.ports.report({ level: 'error', message: 'the storage could not be read: calls are refused', error });
  }

  resume(now: number): void {
    if (now < this.resumeAt) return;
    this.clear();
    this.lastResumedAt = now;
    this.mailboxes.resume();
  }

  clear(): void {
    this.resumeAt = Number.POSITIVE_INFINITY;
  }
}
