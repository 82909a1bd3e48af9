/** The ids of a partition's slots: rising over restarts, failed appends, and clocks that go back. */
import { type Id, IdGenerator } from '../ids.ts';

export class IdSource {
  private readonly generators = new Map<number, IdGenerator>();
  private floor = 0;
  private highest = 0;

  /** `stored` is the millisecond that no id of an earlier run is above. Ids of lost turns are not given again either. */
  open(stored: number): void {
    this.generators.clear();
    this.highest = Math.max(stored, this.highest);
    this.floor = this.highest + 1;
  }

  /** No id given so far is above this millisecond. */
  get millisecondsMax(): number {
    return this.highest;
  }

  next(slot: number, now: number): Id {
    let generator = this.generators.get(slot);
    if (generator === undefined) {
      generator = new IdGenerator(slot, this.floor);
      this.generators.set(slot, generator);
    }
    const id = generator.next(now);
    if (generator.lastMillisecond > this.highest) this.highest = generator.lastMillisecond;
    return id;
  }
}
