/**
 * Activities applied lately, by actor and id: a repeated delivery is answered without work. Only verified activities
 * are added, so that a forger cannot suppress a real one. Kept in two generations, so that forgetting costs nothing.
 */
import { activityLimits } from '../limits.ts';

export class RecentActivities {
  private readonly generationMax: number;
  private current = new Set<string>();
  private previous = new Set<string>();

  constructor(generationMax: number = activityLimits.recentActivitiesMax) {
    this.generationMax = generationMax;
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
    if (this.current.size >= this.generationMax) {
      this.previous = this.current;
      this.current = new Set();
    }
    this.current.add(key);
  }
}

/** Ids count for their actor: nobody else of its host can use them up. */
function keyOf(actor: string, id: string): string {
  return `${actor} ${id}`;
}
