/** The deliveries to one host that are in progress or delayed, and how often the host refused each. */
import { laneLimits } from './limits.ts';

interface Active {
  readonly sequence: number;
  readonly urgent: boolean;
}

interface Delayed extends Active {
  readonly at: number;
}

export class Attempts {
  private active: Active[] = [];
  private delayed: Delayed[] = [];
  /** Failed deliveries, with the number of times that the host refused them. */
  private readonly tried = new Map<number, number>();

  get length(): number {
    return this.active.length + this.delayed.length;
  }

  /** When the next delayed delivery is due; Infinity for none. */
  get delayedUntil(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { at } of this.delayed) if (at < earliest) earliest = at;
    return earliest;
  }

  /** The lowest sequence; Infinity for none. */
  get lowest(): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const { sequence } of this.active) if (sequence < lowest) lowest = sequence;
    for (const { sequence } of this.delayed) if (sequence < lowest) lowest = sequence;
    return lowest;
  }

  has(sequence: number): boolean {
    const isIt = (other: Active) => other.sequence === sequence;
    return this.active.some(isIt) || this.delayed.some(isIt);
  }

  hasBetween(after: number, before: number): boolean {
    const isBetween = ({ sequence }: Active) => sequence > after && sequence < before;
    return this.active.some(isBetween) || this.delayed.some(isBetween);
  }

  begin(sequence: number, urgent: boolean): void {
    this.active.push({ sequence, urgent });
  }

  /** Begins the first delayed delivery that is due and free. */
  beginDue(now: number, isFree: (sequence: number) => boolean): number | undefined {
    for (let index = 0; index < this.delayed.length; index += 1) {
      const { sequence, urgent, at } = this.delayed[index]!;
      if (at > now || !isFree(sequence)) continue;
      this.delayed.splice(index, 1);
      this.begin(sequence, urgent);
      return sequence;
    }
    return undefined;
  }

  /** Ends the attempt. Returns whether it was an urgent one. */
  end(sequence: number): boolean {
    for (let index = 0; index < this.active.length; index += 1) {
      const active = this.active[index]!;
      if (active.sequence !== sequence) continue;
      this.active.splice(index, 1);
      return active.urgent;
    }
    return false;
  }

  wasTried(sequence: number): boolean {
    return this.tried.has(sequence);
  }

  refusalsOf(sequence: number): number {
    return this.tried.get(sequence) ?? 0;
  }

  /** The attempt failed without an answer. */
  failed(sequence: number): void {
    this.tried.set(sequence, this.refusalsOf(sequence));
  }

  /** The host refused a delivery in progress: delays it until `at`. False when too many are delayed already. */
  delay(sequence: number, at: number): boolean {
    if (this.delayed.length >= laneLimits.delayedPerLaneMax) return false;
    this.delayed.push({ sequence, urgent: this.end(sequence), at });
    this.tried.set(sequence, this.refusalsOf(sequence) + 1);
    return true;
  }

  /** The delivery has ended. */
  forget(sequence: number): void {
    if (this.tried.size > 0) this.tried.delete(sequence);
  }
}
