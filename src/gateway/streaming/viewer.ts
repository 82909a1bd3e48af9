/** An account that has streams. Kept small, as a gateway has many: what most do not have is shared or absent. */

import type { Subscriber } from './subscriber.ts';
import { VisibilityFilter } from './visibility-filter.ts';

const none: readonly Subscriber[] = [];

export class Viewer extends VisibilityFilter {
  /** Replaced, never changed: a loop over it sees it as it was. */
  subscribers = none;
  /** Pending while the feeds are told that the account listens. */
  ready: Promise<void> | undefined = undefined;

  add(subscriber: Subscriber): void {
    // concat, not push: an array that grows by push reserves room for seventeen (measured).
    this.subscribers = this.subscribers.concat(subscriber);
  }

  remove(subscriber: Subscriber): void {
    this.subscribers = this.subscribers.length === 1 ? none : this.subscribers.filter((other) => other !== subscriber);
  }
}
