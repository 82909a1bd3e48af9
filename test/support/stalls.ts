/** For how long writes stood still in rounds of each kind, beside those of a client that does nothing but publish. */

interface Stall {
  readonly own: number;
  readonly bare: number;
}

export class Stalls {
  private readonly ofKinds = new Map<string, Stall[]>();

  add(kind: string, stall: Stall): void {
    this.ofKinds.set(kind, [...(this.ofKinds.get(kind) ?? []), stall]);
  }

  /** A line for each kind. */
  get summary(): string[] {
    return Array.from(this.ofKinds, ([kind, stalls]) => {
      const sorted = stalls.toSorted((one, other) => one.own - other.own);
      const [median, longest] = [sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!];
      return `${kind}: ${stalls.length} times, median ${seconds(median.own)} s, longest ${seconds(longest.own)} s beside ${seconds(longest.bare)} s of a bare client`;
    });
  }

  /** Kinds in which a stall was longer than this and that of the bare client. */
  longerBy(milliseconds: number): string[] {
    const isTooLong = ({ own, bare }: Stall) => own > milliseconds + bare;
    return [...this.ofKinds].flatMap(([kind, stalls]) => (stalls.some(isTooLong) ? [kind] : []));
  }
}

/** The longest time between two moments that follow each other, and when it ended; in milliseconds. */
export function longestGap(times: readonly number[]): { readonly milliseconds: number; readonly endedAt: number } {
  const gaps = times.slice(1).map((at, index) => ({ milliseconds: at - times[index]!, endedAt: at }));
  return gaps.reduce((longest, gap) => (gap.milliseconds > longest.milliseconds ? gap : longest));
}

export function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}
