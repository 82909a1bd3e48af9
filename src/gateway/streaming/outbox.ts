/**
 * Connections that have something to write, in turn. Writing costs a system call for each of them, so a thousand take
 * longer than the next commit: it is done in slices, and what arrives between two slices joins what still waits. So each
 * has one write for all that came until its turn, and other work of the thread is not held up.
 */
import { performance } from 'node:perf_hooks';
import { streamLimits } from './limits.ts';

export interface Writer {
  /** True when this fills a slice: much is written, or will be at the end of this turn of the event loop. */
  flush(): boolean;
}

/** Reading the clock for each would cost more than it tells. */
const writersPerLook = 16;

export class Outbox {
  private writers: Writer[] = [];
  private next = 0;

  /** A writer asks once, when its queue is no longer empty. */
  add(writer: Writer): void {
    if (this.writers.length === 0) setImmediate(this.slice);
    this.writers.push(writer);
  }

  private readonly slice = () => {
    const end = performance.now() + streamLimits.writeSliceMilliseconds;
    let isFull = false;
    while (this.next < this.writers.length && !isFull) {
      isFull = this.writers[this.next]!.flush();
      this.next += 1;
      isFull ||= this.next % writersPerLook === 0 && performance.now() >= end;
    }
    if (this.next < this.writers.length) {
      setImmediate(this.slice);
      return;
    }
    this.writers = [];
    this.next = 0;
  };
}
