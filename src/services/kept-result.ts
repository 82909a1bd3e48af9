/** A result that is computed when it is asked for and kept for a while. Concurrent callers wait for the same one. */
import type { Clock } from '../runtime/ports.ts';

interface Kept<Result> {
  readonly result: Promise<Result>;
  /** By the monotonic clock. */
  until: number;
}

export class KeptResult<Result> {
  private readonly clock: Pick<Clock, 'monotonic'>;
  private readonly compute: () => Promise<Result>;
  private readonly keptMilliseconds: (result: Result, tookMilliseconds: number) => number;
  private kept: Kept<Result> | undefined;

  /** `keptMilliseconds`: how long a result is kept after it was computed. One that fails is not kept. */
  constructor(
    clock: Pick<Clock, 'monotonic'>,
    compute: () => Promise<Result>,
    keptMilliseconds: (result: Result, tookMilliseconds: number) => number,
  ) {
    this.clock = clock;
    this.compute = compute;
    this.keptMilliseconds = keptMilliseconds;
  }

  get(): Promise<Result> {
    const { kept } = this;
    if (kept !== undefined && this.clock.monotonic() < kept.until) return kept.result;
    return this.computeAgain();
  }

  private computeAgain(): Promise<Result> {
    const began = this.clock.monotonic();
    const kept: Kept<Result> = { result: this.compute(), until: Number.POSITIVE_INFINITY };
    this.kept = kept;
    kept.result.then(
      (result) => {
        const now = this.clock.monotonic();
        kept.until = now + this.keptMilliseconds(result, now - began);
      },
      () => {
        if (this.kept === kept) this.kept = undefined;
      },
    );
    return kept.result;
  }
}
