/**
 * When to wake a partition: at the earliest requested time, or after the pause that failed appends require. Times are
 * those of the monotonic clock.
 */
import { partitionLimits } from '../limits.ts';
import type { PartitionPorts } from '../ports.ts';

export class Alarm {
  private readonly ports: Pick<PartitionPorts, 'clock' | 'wakeIn'>;
  private setFor = Number.POSITIVE_INFINITY;
  private failuresInRow = 0;
  private failedAt = Number.NEGATIVE_INFINITY;
  private resting = false;

  constructor(ports: Pick<PartitionPorts, 'clock' | 'wakeIn'>) {
    this.ports = ports;
  }

  /** True after failed appends, until the pause ends: nothing is tried. */
  get isResting(): boolean {
    return this.resting;
  }

  /** True when the last append failed. */
  get isFailing(): boolean {
    return this.failuresInRow > 0;
  }

  /** True when an append failed lately: on a full disk a small one may still fit where others do not. */
  get hasFailedLately(): boolean {
    return this.isFailing || this.ports.clock.monotonic() - this.failedAt < partitionLimits.failureShownMilliseconds;
  }

  wish(at: number): void {
    if (!this.resting && at < this.setFor) this.set(at);
  }

  rang(): void {
    this.setFor = Number.POSITIVE_INFINITY;
    this.resting = false;
  }

  /**
   * An append failed. From the second failure in a row on there is a pause, so that a failing disk is not tried in a
   * loop.
   */
  failed(): void {
    this.failuresInRow += 1;
    this.failedAt = this.ports.clock.monotonic();
    if (this.failuresInRow === 1) return;
    const { failurePauseMilliseconds, failurePauseMillisecondsMax } = partitionLimits;
    const pause = Math.min(failurePauseMilliseconds * 2 ** (this.failuresInRow - 2), failurePauseMillisecondsMax);
    this.resting = true;
    this.set(this.failedAt + pause);
  }

  succeeded(): void {
    this.failuresInRow = 0;
  }

  private set(at: number): void {
    this.setFor = at;
    this.ports.wakeIn(Math.max(0, at - this.ports.clock.monotonic()));
  }
}
