/**
 * The owners' events, as gateway and network threads receive them: from a known moment on, and again after an owner was
 * replaced.
 *
 * INVARIANT reads after an event, or after events may have been lost, are never older than it.
 */
import type { WantedEvents } from '../runtime/events/event.ts';
import { unpackEvents } from '../runtime/events/event.ts';
import type { CommitPosition } from '../runtime/ports.ts';
import type { Client } from '../runtime/threads/client.ts';
import type { ThreadMessage } from '../runtime/threads/messages.ts';
import type { EventHub } from '../services/event-hub.ts';

export interface OwnerEventsOptions {
  readonly client: Client;
  readonly events: EventHub;
  readonly wanted?: WantedEvents | undefined;
  /** Makes later reads of the thread include this commit, or everything until now. */
  noteCommit(position?: CommitPosition): void;
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

  received({ partition, commit, events, recipients }: Extract<ThreadMessage, { type: 'events' }>): void {
    this.options.noteCommit({ partition, commit });
    this.options.events.dispatch({ partition, commit, events: unpackEvents(events) }, recipients);
  }

  /** Events committed before the new owner's first broadcast reached no listener: report a second gap. */
  ownerReplaced(owner: number): void {
    this.lost();
    const again = () => this.lost();
    this.options.client.listen(owner, this.options.wanted).then(again, again);
  }

  /** This thread was too slow for an owner's events; some were left out. */
  fellBehind(): void {
    this.lost();
  }

  stop(): void {
    this.stopped = true;
  }

  private lost(): void {
    if (this.stopped) return;
    this.options.noteCommit();
    this.options.events.dispatchLoss();
  }
}
