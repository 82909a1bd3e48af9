/**
 * Recently applied activities, by actor and id: a repeated delivery is answered without work. Only verified activities
 * are added, so that a forger cannot suppress a genuine one. Stored in two generations, so that expiry costs nothing.
 */
import { activityLimits } from '../limits.ts';

/** About the memory of a name besides its characters (measured). */
const nameBytes = 80;

export class RecentActivities {
  private readonly generationBytesMax: number;
  private current = new Set<string>();
  private previous = new Set<string>();
  private currentBytes = 0;
  private previousBytes = 0;

  constructor(bytesMax: number) {
    this.generationBytesMax = bytesMax / 2;
  }

  get bytes(): number {
    return this.currentBytes + this.previousBytes;
  }

  has(actor: string, id: string): boolean {
    if (this.current.size === 0) return false;
    const key = keyOf(actor, id);
    return this.current.has(key) || this.previous.has(key);
  }

  /** An activity with a very long id is not remembered; applying it again changes nothing. */
  add(actor: string, id: string): void {
    const key = keyOf(actor, id);
    if (key.length > activityLimits.recentActivityCharactersMax) return;
    const bytes = key.length + nameBytes;
    if (this.currentBytes + bytes > this.generationBytesMax) {
      this.previous = this.current;
      this.previousBytes = this.currentBytes;
      this.current = new Set();
      this.currentBytes = 0;
    }
    this.current.add(key);
    this.currentBytes += bytes;
  }
}

/** Ids count per actor: another actor of its host cannot use them up. */
function keyOf(actor: string, id: string): string {
  return `${actor} ${id}`;
}
