/** Deliveries that a lane finished above its cursor, as ranges of sequences. */

export class DoneRanges {
  /** First and last sequence of each range, ascending. */
  private bounds: number[];

  constructor(bounds: readonly number[]) {
    this.bounds = [...bounds];
  }

  get count(): number {
    return this.bounds.length / 2;
  }

  has(sequence: number): boolean {
    for (let index = 0; index < this.bounds.length; index += 2)
      if (sequence <= this.bounds[index + 1]!) return sequence >= this.bounds[index]!;
    return false;
  }

  /** Adds a sequence; ranges with nothing pending between them are merged. */
  add(sequence: number, isPendingBetween: (after: number, before: number) => boolean): void {
    const { bounds } = this;
    let index = bounds.length;
    while (index > 0 && bounds[index - 2]! > sequence) index -= 2;
    if (index > 0 && bounds[index - 1]! >= sequence) return;
    const joinsBefore = index > 0 && !isPendingBetween(bounds[index - 1]!, sequence);
    const joinsAfter = index < bounds.length && !isPendingBetween(sequence, bounds[index]!);
    if (joinsBefore && joinsAfter) bounds.splice(index - 1, 2);
    else if (joinsBefore) bounds[index - 1] = sequence;
    else if (joinsAfter) bounds[index] = sequence;
    else bounds.splice(index, 0, sequence, sequence);
  }

  /** Drops what is at or below the cursor. */
  dropThrough(cursor: number): void {
    let passed = 0;
    while (passed < this.bounds.length && this.bounds[passed + 1]! <= cursor) passed += 2;
    if (passed > 0) this.bounds.splice(0, passed);
  }

  toArray(): number[] {
    return [...this.bounds];
  }
}
