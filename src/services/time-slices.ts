/**
 * Runs long work of a thread in slices: one slice per round of the event loop, however much waits, so that a short
 * request never waits for more than one slice.
 */
import { Failure } from '../runtime/errors.ts';

/** The requester of the work. */
export interface Asker {
  /** Nobody waits for the answer any more. */
  readonly hasLeft: boolean;
}

interface Work {
  /** Takes one step; true when it was the last. */
  step(): boolean;
}

export class TimeSlices {
  private readonly waiting: Work[] = [];

  /**
   * Runs a generator that yields where other work may run. The first slice runs at once, because most work needs no
   * second one. If the requester has left, no further slice runs: the generator ends, and the promise rejects with
   * Failure expired.
   */
  run<Result>(steps: Generator<undefined, Result>, asker?: Asker): Result | Promise<Result> {
    const first = steps.next();
    return first.done ? first.value : new Promise((resolve, reject) => this.queue(steps, asker, resolve, reject));
  }

  private queue<Result>(
    steps: Generator<undefined, Result>,
    asker: Asker | undefined,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
  ): void {
    const step = () => {
      try {
        if (asker?.hasLeft === true) {
          steps.return(undefined as never);
          throw new Failure('expired');
        }
        const { done, value } = steps.next();
        if (done) resolve(value);
        return done === true;
      } catch (error) {
        reject(error);
        return true;
      }
    };
    this.waiting.push({ step });
    if (this.waiting.length === 1) setImmediate(this.slice);
  }

  private readonly slice = () => {
    const work = this.waiting[0]!;
    const isDone = work.step();
    this.waiting.shift();
    if (!isDone) this.waiting.push(work);
    if (this.waiting.length > 0) setImmediate(this.slice);
  };
}
