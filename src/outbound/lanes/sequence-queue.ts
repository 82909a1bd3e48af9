/** Sequences in ascending order, eight bytes each: mostly added at the end and taken from the front. */

const compactedHead = 1_024;

export class SequenceQueue {
  private values: number[] = [];
  private head = 0;

  get length(): number {
    return this.values.length - this.head;
  }

  /** The lowest; Infinity when empty. */
  get first(): number {
    return this.values[this.head] ?? Number.POSITIVE_INFINITY;
  }

  /** The highest; -Infinity when empty. */
  get last(): number {
    return this.length === 0 ? Number.NEGATIVE_INFINITY : this.values[this.values.length - 1]!;
  }

  *[Symbol.iterator](): Generator<number> {
    for (let index = this.head; index < this.values.length; index += 1) yield this.values[index]!;
  }

  at(index: number): number {
    return this.values[this.head + index]!;
  }

  /** Inserts a sequence in order; at the end this costs nothing. */
  add(sequence: number): void {
    if (sequence > this.last) this.values.push(sequence);
    else this.values.splice(this.find(sequence), 0, sequence);
  }

  removeAt(index: number): void {
    if (index > 0) this.values.splice(this.head + index, 1);
    else if (this.length === 1) this.clear();
    else {
      this.head += 1;
      if (this.head >= compactedHead && this.head * 2 > this.values.length) {
        this.values = this.values.slice(this.head);
        this.head = 0;
      }
    }
  }

  /** Returns whether it was present. */
  remove(sequence: number): boolean {
    if (!this.has(sequence)) return false;
    this.removeAt(this.find(sequence) - this.head);
    return true;
  }

  has(sequence: number): boolean {
    return this.length > 0 && this.values[this.find(sequence)] === sequence;
  }

  hasBetween(after: number, before: number): boolean {
    return this.length > 0 && (this.values[this.find(after + 1)] ?? before) < before;
  }

  /** Takes over all sequences of another queue, which are all higher. */
  append(other: SequenceQueue): void {
    for (let index = other.head; index < other.values.length; index += 1) this.values.push(other.values[index]!);
    other.clear();
  }

  /** Removes this sequence and all higher ones. */
  dropFrom(sequence: number): void {
    this.values.length = this.find(sequence);
    if (this.length === 0) this.clear();
  }

  clear(): void {
    this.values = [];
    this.head = 0;
  }

  /** The index in `values` of the first sequence that is not lower. */
  private find(sequence: number): number {
    let low = this.head;
    let high = this.values.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.values[middle]! < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
