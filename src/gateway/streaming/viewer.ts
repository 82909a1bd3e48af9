/** An account that has streams. Kept small, because a gateway has many: rare parts are shared or absent. */

import type { Subscriber } from './subscriber.ts';
import { VisibilityFilter } from './visibility-filter.ts';

const none: readonly Subscriber[] = [];

export class Viewer extends VisibilityFilter {
  /** Replaced, never changed: an iteration over it is not affected. */
  subscribers = none;
  /** Pending while the feeds are informed that the account listens. */
  ready: Promise<void> | undefined = undefined;

  add(subscriber: Subscriber): void {
    // concat, not push: an array that grows by push reserves room for seventeen (measured).
    this.subscribers = this.subscribers.concat(subscriber);
  }

  remove(subscriber: Subscriber): void {
    this.subscribers = this.subscribers.length === 1 ? none : this.subscribers.filter((other) => other !== subscriber);
  }
}
