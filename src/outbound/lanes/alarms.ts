/** Timers of lanes, earliest first. A lane has at most one: setting it again replaces it. */

export interface Sleeper {
  /** Infinity while no alarm is set. */
  alarmAt: number;
}

interface Alarm<T> {
  readonly at: number;
  readonly sleeper: T;
}

export class Alarms<T extends Sleeper> {
  /** A binary heap; replaced alarms stay until their time. */
  private readonly heap: Alarm<T>[] = [];

  set(sleeper: T, at: number): void {
    if (sleeper.alarmAt === at) return;
    sleeper.alarmAt = at;
    if (at === Number.POSITIVE_INFINITY) return;
    this.heap.push({ at, sleeper });
    this.rise(this.heap.length - 1);
  }

  /** Infinity when none is set. */
  get nextAt(): number {
    this.dropReplaced();
    return this.heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** A lane whose alarm is due; undefined when there is none. */
  take(now: number): T | undefined {
    this.dropReplaced();
    const first = this.heap[0];
    if (first === undefined || first.at > now) return undefined;
    this.removeFirst();
    first.sleeper.alarmAt = Number.POSITIVE_INFINITY;
    return first.sleeper;
  }

  private dropReplaced(): void {
    while (this.heap.length > 0 && this.heap[0]!.sleeper.alarmAt !== this.heap[0]!.at) this.removeFirst();
  }

  private removeFirst(): void {
    const last = this.heap.pop()!;
    if (this.heap.length === 0) return;
    this.heap[0] = last;
    this.sink();
  }

  private rise(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.heap[parent]!.at <= this.heap[index]!.at) return;
      this.swap(index, parent);
      index = parent;
    }
  }

  private sink(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let first = index;
      if (left < this.heap.length && this.heap[left]!.at < this.heap[first]!.at) first = left;
      if (right < this.heap.length && this.heap[right]!.at < this.heap[first]!.at) first = right;
      if (first === index) return;
      this.swap(index, first);
      index = first;
    }
  }

  private swap(one: number, other: number): void {
    const held = this.heap[one]!;
    this.heap[one] = this.heap[other]!;
    this.heap[other] = held;
  }
}
