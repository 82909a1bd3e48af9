/** Committed events as they reach this thread, for caches and streams. Subscribers are called in order of subscription. */
import type { Audience, EventBatch } from '../runtime/events/event.ts';

export type EventListener = (batch: EventBatch, audiences: readonly Audience[]) => void;

export class EventHub {
  private readonly listeners: EventListener[] = [];
  private readonly lost: (() => void)[] = [];

  subscribe(listener: EventListener): void {
    this.listeners.push(listener);
  }

  /** Called when an owner thread was replaced: events may have been missed. */
  onLoss(callback: () => void): void {
    this.lost.push(callback);
  }

  dispatch(batch: EventBatch, audiences: readonly Audience[]): void {
    for (const listener of this.listeners) listener(batch, audiences);
  }

  dispatchLoss(): void {
    for (const callback of this.lost) callback();
  }
}
