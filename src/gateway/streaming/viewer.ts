/** An account that has streams. There is one for each, so it is small: what most do not have is shared or absent. */
import { Sight } from './sight.ts';
import type { Subscriber } from './subscriber.ts';

const none: readonly Subscriber[] = [];

export class Viewer extends Sight {
  /** Replaced when it changes, so that whoever goes through it sees it as it was. */
  subscribers = none;
  /** Settles when the feeds know that the account listens; absent from then on. */
  ready: Promise<void> | undefined = undefined;

  add(subscriber: Subscriber): void {
    // As long as it need be: a list that grows has room for seventeen (measured).
    this.subscribers = this.subscribers.concat(subscriber);
  }

  remove(subscriber: Subscriber): void {
    this.subscribers = this.subscribers.length === 1 ? none : this.subscribers.filter((other) => other !== subscriber);
  }
}
