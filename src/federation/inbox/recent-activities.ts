/**
 * Ids of activities that were carried out lately: a peer that repeats itself costs nothing more. Only verified ids come
 * in, so nobody can make this server blind for an activity. Two generations, so that forgetting costs nothing either.
 */
import { activityLimits } from '../limits.ts';

export class RecentActivities {
  private readonly generationMax: number;
  private current = new Set<string>();
  private previous = new Set<string>();

  constructor(generationMax: number = activityLimits.recentActivitiesMax) {
    this.generationMax = generationMax;
  }

  has(id: string): boolean {
    return this.current.has(id) || this.previous.has(id);
  }

  /** What has a very long id is carried out again when it comes again, which changes nothing. */
  add(id: string): void {
    if (id.length > activityLimits.recentActivityCharactersMax) return;
    if (this.current.size >= this.generationMax) {
      this.previous = this.current;
      this.current = new Set();
    }
    this.current.add(id);
  }
}
