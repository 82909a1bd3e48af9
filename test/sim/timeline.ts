/** Virtual time: a queue of scheduled events. Running them takes no time; each step jumps to the next event. */
interface Planned {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

function before(a: Planned, b: Planned): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

export class Timeline {
  /** Milliseconds since the beginning. */
  now = 0;
  /** Events run so far. */
  steps = 0;
  /** A binary heap, the next event first. */
  private readonly planned: Planned[] = [];
  private lastOrder = 0;

  get isEmpty(): boolean {
    return this.planned.length === 0;
  }

  /** Events of one time run in the order in which they were planned. */
  after(milliseconds: number, run: () => void): void {
    this.lastOrder += 1;
    this.push({ at: this.now + Math.max(0, milliseconds), order: this.lastOrder, run });
  }

  /** Runs the next event, if there is one. */
  step(): void {
    const next = this.pop();
    if (next === undefined) return;
    this.now = next.at;
    this.steps += 1;
    next.run();
  }

  private push(event: Planned): void {
    const heap = this.planned;
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!before(event, heap[parent]!)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = event;
  }

  private pop(): Planned | undefined {
    const heap = this.planned;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1;
      if (child >= heap.length || !before(heap[child]!, last)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}
