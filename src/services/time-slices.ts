/**
 * Runs long work of a thread in slices: one slice per round of the event loop, however much waits, so that a short
 * request never waits for more than one slice.
 */
interface Work {
  /** Takes one step; true when it was the last. */
  step(): boolean;
}

export class TimeSlices {
  private readonly waiting: Work[] = [];

  /** The generator yields where other work may run. Its first slice runs at once: most work needs no other. */
  run<Result>(steps: Generator<undefined, Result>): Result | Promise<Result> {
    const first = steps.next();
    return first.done ? first.value : new Promise((resolve, reject) => this.queue(steps, resolve, reject));
  }

  private queue<Result>(
    steps: Generator<undefined, Result>,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
  ): void {
    const step = () => {
      try {
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
