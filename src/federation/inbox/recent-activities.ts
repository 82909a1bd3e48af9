/**
 * Activities applied lately, by actor and id: a repeated delivery is answered without work. Only verified activities
 * are added, so that a forger cannot suppress a real one. Kept in two generations, so that forgetting costs nothing.
 */
import { activityLimits } from '../limits.ts';

/** About what a name takes beside its characters (measured). */
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

  /** What has a very long id is applied again when it comes again, which changes nothing. */
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

/** Ids count for their actor: nobody else of its host can use them up. */
function keyOf(actor: string, id: string): string {
  return `${actor} ${id}`;
}
