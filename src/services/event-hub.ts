/**
 * Dispatches committed events in this thread: first to caches, which register the keys they hold and drop what an event
 * invalidates, then to streams, in order of subscription.
 */
import { eventTypes } from '../actors/events.ts';
import type { Cacheable, EventBatch, EventRecipients } from '../runtime/events/event.ts';

export type EventListener = (batch: EventBatch, recipients: readonly EventRecipients[]) => void;

export class EventHub {
  private readonly listeners: EventListener[] = [];
  private readonly caches = new Map<Cacheable<never>, ((key: never) => void)[]>();
  private readonly lost: (() => void)[] = [];

  subscribe(listener: EventListener): void {
    this.listeners.push(listener);
  }

  /** `drop` is called with the key of everything that an event invalidates. */
  onInvalidation<Key>(of: Cacheable<Key>, drop: (key: Key) => void): void {
    const drops = this.caches.get(of as Cacheable<never>);
    if (drops === undefined) this.caches.set(of as Cacheable<never>, [drop]);
    else drops.push(drop);
  }

  /** Called when an owner thread was replaced: events may have been missed. */
  onLoss(callback: () => void): void {
    this.lost.push(callback);
  }

  dispatch(batch: EventBatch, recipients: readonly EventRecipients[]): void {
    for (const { event, body } of batch.events)
      for (const { of, key } of eventTypes.get(event)?.invalidates(body) ?? [])
        for (const drop of this.caches.get(of) ?? []) drop(key as never);
    for (const listener of this.listeners) listener(batch, recipients);
  }

  dispatchLoss(): void {
    for (const callback of this.lost) callback();
  }
}
