/** Lets so much work run at a time; the rest waits in order. */
export class Turns {
  private readonly max: number;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(max: number) {
    this.max = max;
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    // A finished one passes its place to the next.
    if (this.running >= this.max) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
