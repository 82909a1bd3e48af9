/**
 * Adds statuses to rings in the order of their events, a slice of rings at a time, so that a status with many followers
 * does not block others.
 *
 * INVARIANT a job affects only rings that belong to the same feed as when it was created: a ring that was emptied or
 * given to another feed since has a newer generation, and is filled by a merge that includes the status.
 */
import type { RingWriter } from './feed-rings-writer.ts';

export type JobKind = 'add' | 'remove';

interface Job {
  readonly kind: JobKind;
  readonly id: bigint;
  readonly rings: Uint32Array;
  /** The newest generation when the job was created. */
  readonly generation: number;
  next: number;
}

export interface FeedJobsOptions {
  readonly rings: RingWriter;
  readonly ringsPerSlice: number;
  /** Runs the callback after the thread's other pending work. */
  defer(callback: () => void): void;
}

export class FeedJobs {
  private readonly options: FeedJobsOptions;
  private readonly jobs: Job[] = [];

  constructor(options: FeedJobsOptions) {
    this.options = options;
  }

  clear(): void {
    this.jobs.length = 0;
  }

  /** Starts at once when nothing else waits. */
  enqueue(kind: JobKind, id: bigint, rings: Uint32Array): void {
    if (rings.length === 0) return;
    this.jobs.push({ kind, id, rings, generation: this.options.rings.newestGeneration, next: 0 });
    if (this.jobs.length === 1) this.work();
  }

  private work(): void {
    let left = this.options.ringsPerSlice;
    while (left > 0) {
      const job = this.jobs[0];
      if (job === undefined) return;
      const end = Math.min(job.rings.length, job.next + left);
      this.apply(job, end);
      left -= end - job.next;
      job.next = end;
      if (end === job.rings.length) this.jobs.shift();
    }
    if (this.jobs.length > 0) this.options.defer(() => this.work());
  }

  private apply({ kind, id, rings: numbers, generation, next }: Job, end: number): void {
    const { rings } = this.options;
    for (let index = next; index < end; index += 1) {
      const ring = numbers[index]!;
      if (rings.generationOf(ring) > generation) continue;
      if (kind === 'add') rings.add(ring, id);
      else rings.remove(ring, id);
    }
  }
}
