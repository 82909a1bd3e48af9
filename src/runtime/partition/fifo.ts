/** A first-in, first-out queue whose operations cost the same however long it is. */
export class Fifo<T> {
  private items: (T | undefined)[] = [];
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  push(item: T): void {
    this.items.push(item);
  }

  /** Puts an item at the head. */
  unshift(item: T): void {
    if (this.head === 0) this.items.unshift(item);
    else {
      this.head -= 1;
      this.items[this.head] = item;
    }
  }

  clear(): void {
    this.items = [];
    this.head = 0;
  }

  peek(): T | undefined {
    return this.items[this.head];
  }

  /** The item at this position from the head. */
  at(index: number): T | undefined {
    return index < 0 ? undefined : this.items[this.head + index];
  }

  shift(): T | undefined {
    if (this.head === this.items.length) return undefined;
    const item = this.items[this.head];
    this.items[this.head] = undefined;
    this.head += 1;
    if (this.head === this.items.length) {
      this.items.length = 0;
      this.head = 0;
    } else if (this.head > 1024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}
