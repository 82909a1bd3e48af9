/**
 * What was deleted or undone before it came: activities overtake each other on their way. Remembered for some hours, so
 * that the late original is dropped. A thread's own memory, because a sender keeps to its connection, and what waits of a
 * host to one network thread (ports.ts).
 */
import { activityLimits } from '../limits.ts';

export class WithdrawnObjects {
  private readonly now: () => number;
  /** The object's id with its actor's, to the end of the memory; oldest first. */
  private readonly ends = new Map<string, number>();

  constructor(now: () => number) {
    this.now = now;
  }

  /** Only the actor that withdrew an object is believed later. */
  add(actor: string, uri: string): void {
    if (this.ends.size >= activityLimits.withdrawnObjectsMax) this.ends.delete(this.ends.keys().next().value!);
    this.ends.set(nameOf(actor, uri), this.now() + activityLimits.withdrawnMilliseconds);
  }

  has(actor: string, uri: string): boolean {
    if (this.ends.size === 0) return false;
    const end = this.ends.get(nameOf(actor, uri));
    return end !== undefined && end > this.now();
  }

  /** The same, and forgets it: an activity may be repeated under its old id, such as a Follow after its Undo. */
  take(actor: string, uri: string): boolean {
    const has = this.has(actor, uri);
    if (has) this.ends.delete(nameOf(actor, uri));
    return has;
  }
}

function nameOf(actor: string, uri: string): string {
  return `${actor} ${uri}`;
}
