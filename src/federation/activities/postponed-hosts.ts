/** The hosts of which an activity is on its way to their actor, to be kept for later: nobody can read that yet. */
export class PostponedHosts {
  /** How many, by host. */
  private readonly counts = new Map<string, number>();

  has(host: string): boolean {
    return this.counts.has(host);
  }

  async during(host: string, work: Promise<unknown>): Promise<void> {
    this.counts.set(host, (this.counts.get(host) ?? 0) + 1);
    try {
      await work;
    } finally {
      const left = this.counts.get(host)! - 1;
      if (left > 0) this.counts.set(host, left);
      else this.counts.delete(host);
    }
  }
}
