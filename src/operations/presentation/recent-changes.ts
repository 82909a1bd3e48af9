/**
 * Remembers recently invalidated ids: an object that was created while events arrived may be outdated, and must not be
 * cached then.
 */
import type { Id } from '../../runtime/ids.ts';
import { presentationLimits } from './limits.ts';

export class RecentChanges {
  private readonly ids = new Set<Id>();
  private forgotten = 0;

  add(id: Id): void {
    if (this.ids.size >= presentationLimits.recentChangesMax) this.forget();
    this.ids.add(id);
  }

  /** Anything may have changed. */
  forget(): void {
    this.ids.clear();
    this.forgotten += 1;
  }

  /**
   * Starts observing: the returned function tells whether an id that was unknown before has certainly not been
   * invalidated since.
   */
  watch(): (id: Id) => boolean {
    const { forgotten } = this;
    return (id) => this.forgotten === forgotten && !this.ids.has(id);
  }
}
