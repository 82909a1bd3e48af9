/**
 * How fast the uploads of a gateway are read, all of them together. What a connection has received is delivered in one turn
 * of the event loop, megabytes of it, in which nobody else is served: a rate keeps the part of the time that such turns
 * take small. Some bytes go first, so that a photo waits for nobody.
 */
import { httpLimits } from '../limits.ts';

const { uploadBytesPerSecond, uploadBytesAhead } = httpLimits;

export class UploadPace {
  /** When everything that was read would have arrived at the rate. */
  private dueAt = 0;

  received(bytes: number, now: number): void {
    this.dueAt = Math.max(this.dueAt, now) + (bytes / uploadBytesPerSecond) * 1_000;
  }

  /** Until more may be read; 0 for now. */
  waitMilliseconds(now: number): number {
    return Math.max(0, this.dueAt - (uploadBytesAhead / uploadBytesPerSecond) * 1_000 - now);
  }
}
