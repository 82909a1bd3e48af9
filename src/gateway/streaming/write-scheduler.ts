/**
 * Lets connections write in turn. Each write is a system call, so a thousand of them take longer than the next commit:
 * they are done in slices, between which the thread does other work. Frames that arrive before a connection has its
 * turn join its queue and leave in the same write.
 */
import { performance } from 'node:perf_hooks';
import { streamLimits } from './limits.ts';

export interface Writer {
  /** Returns true when this fills a slice: much was written, or will be at the end of this round of the event loop. */
  flush(): boolean;
}

/** Reading the clock after each write would cost too much. */
const writersPerLook = 16;

export class WriteScheduler {
  /** Told how many bytes writers have written. */
  readonly wrote: (bytes: number) => void;
  private writers: Writer[] = [];
  private next = 0;

  constructor(wrote: (bytes: number) => void = () => undefined) {
    this.wrote = wrote;
  }

  /** Call once, when the queue of a writer becomes non-empty. */
  add(writer: Writer): void {
    if (this.writers.length === 0) setImmediate(this.slice);
    this.writers.push(writer);
  }

  /** Writes everything that waits at once. Call before the connections are closed. */
  flush(): void {
    for (; this.next < this.writers.length; this.next += 1) this.writers[this.next]!.flush();
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
