/**
 * Sends the heartbeats of all streams that need one, with one timer that cycles through a number of slots; each stream
 * belongs to one slot.
 */
import { streamLimits } from './limits.ts';

export interface Beating {
  beat(): void;
}

const tickMilliseconds = streamLimits.heartbeatMilliseconds / streamLimits.heartbeatSlots;

export class Heartbeats {
  private readonly slots = Array.from({ length: streamLimits.heartbeatSlots }, () => new Set<Beating>());
  private slot = 0;
  private count = 0;
  private timer: NodeJS.Timeout | undefined;

  /** The first beat comes after a whole cycle. Call the returned function to end them. */
  add(beating: Beating): () => void {
    const slot = this.slots[this.slot]!;
    slot.add(beating);
    this.count += 1;
    this.timer ??= setInterval(() => this.tick(), tickMilliseconds);
    return () => {
      if (!slot.delete(beating)) return;
      this.count -= 1;
      if (this.count > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  private tick(): void {
    this.slot = (this.slot + 1) % this.slots.length;
    for (const beating of this.slots[this.slot]!) beating.beat();
  }
}
