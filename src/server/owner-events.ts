/**
 * The events of the owners as gateway and network threads hear them: from a known moment on, and again after an owner was
 * replaced.
 *
 * INVARIANT what is read after an event, or after events may have been lost, is never older than they are.
 */
import type { CommitPosition } from '../runtime/ports.ts';
import type { Client } from '../runtime/threads/client.ts';
import type { ThreadMessage } from '../runtime/threads/messages.ts';
import type { EventHub } from '../services/event-hub.ts';

export interface OwnerEventsOptions {
  readonly client: Client;
  readonly events: EventHub;
  /** The numbers of those wanted; undefined for all. */
  readonly wanted?: readonly number[];
  /** Has the thread read nothing older than this commit, or than now. */
  heardOf(position?: CommitPosition): void;
}

export class OwnerEvents {
  private readonly options: OwnerEventsOptions;
  private stopped = false;

  constructor(options: OwnerEventsOptions) {
    this.options = options;
  }

  /** Settles when every owner sends its events. */
  listen(): Promise<void> {
    return this.options.client.listenToAll(this.options.wanted);
  }

  heard({ batch, recipients }: Extract<ThreadMessage, { type: 'events' }>): void {
    this.options.heardOf(batch);
    this.options.events.dispatch(batch, recipients);
  }

  /** Events committed before the new owner's first broadcast reached no listener: report a second gap. */
  ownerReplaced(owner: number): void {
    this.lost();
    const again = () => this.lost();
    this.options.client.listen(owner, this.options.wanted).then(again, again);
  }

  /** This thread was too slow for the events of an owner, which has left some out. */
  fellBehind(): void {
    this.lost();
  }

  stop(): void {
    this.stopped = true;
  }

  private lost(): void {
    if (this.stopped) return;
    this.options.heardOf();
    this.options.events.dispatchLoss();
  }
}
