/** Bounds how much work of one kind is under way; the rest waits in order. */
export class Slots {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  get isFull(): boolean {
    return this.free === 0;
  }

  /** Runs the work when there is a free slot; at once if there is one now. */
  async run<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((begin) => this.waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
