/** Work in slices (see TimeSlices) that holds much meanwhile: only some of it is under way, however much is asked for. */
import { Slots } from './slots.ts';
import type { Asker, TimeSlices } from './time-slices.ts';

export class BoundedSlices {
  private readonly slices: TimeSlices;
  private readonly slots: Slots;

  constructor(slices: TimeSlices, underWayMax: number) {
    this.slices = slices;
    this.slots = new Slots(underWayMax);
  }

  /**
   * Runs what `begin` makes. The first slice runs at once, because most work needs no second one. What has to wait for
   * others begins anew, so that it does not hold what it has read: `begin` is told so, and what it makes then runs later.
   */
  run<Result>(begin: (isAnew: boolean) => Generator<undefined, Result>, asker?: Asker): Result | Promise<Result> {
    const begun = begin(false);
    const first = begun.next();
    if (first.done) return first.value;
    const steps = this.slots.isFull ? begin(true) : begun;
    return this.slots.run(() => this.slices.run(inLaterSlices(steps), asker));
  }
}

/** Not in the round of the event loop in which it began. */
function* inLaterSlices<Result>(steps: Generator<undefined, Result>): Generator<undefined, Result> {
  yield;
  return yield* steps;
}
