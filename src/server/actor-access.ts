/** How a thread without actors reaches them: by calls, by snapshots of their partitions, and by their events. */
import type { WantedEvents } from '../runtime/events/event.ts';
import type { CommitPosition, Problem } from '../runtime/ports.ts';
import type { MetDamage } from '../runtime/storage/reader.ts';
import type { OpenSnapshots, Snapshots } from '../runtime/storage/snapshots.ts';
import { Client } from '../runtime/threads/client.ts';
import type { Link } from '../runtime/threads/link.ts';
import type { ThreadMessage } from '../runtime/threads/messages.ts';
import type { Thread } from '../runtime/threads/thread.ts';
import type { Trace } from '../runtime/tracing/trace.ts';
import { EventHub } from '../services/event-hub.ts';
import { OwnerEvents } from './owner-events.ts';
import { openPartitions, placementOf } from './partitions.ts';
import type { Shared } from './shared.ts';

const leftOut = 'a damaged entry is left out wherever it would be shown';

export class ActorAccess {
  readonly client: Client;
  readonly events = new EventHub();
  private readonly shared: Shared;
  private readonly ownerEvents: OwnerEvents;
  private opened: OpenSnapshots | undefined;

  constructor(thread: Thread<Shared>, wanted: WantedEvents, trace: Trace | undefined) {
    this.shared = thread.shared;
    const noteCommit = (position?: CommitPosition) => this.opened?.snapshots.noteCommit(position);
    this.client = new Client(thread, placementOf(thread), noteCommit, trace);
    const { client, events } = this;
    this.ownerEvents = new OwnerEvents({ client, events, wanted, noteCommit });
  }

  /** Damaged entries are told to the owners of their partitions; those that are left out of answers are reported. */
  openSnapshots(report: (problem: Problem) => void): Snapshots {
    const met = ({ entry, isLeftOut }: MetDamage, partition: number) => {
      if (isLeftOut) report({ level: 'error', message: leftOut, error: entry });
      this.client.damageMet(partition, entry.key);
    };
    this.opened = openPartitions(this.shared, this.client.placement, met);
    return this.opened.snapshots;
  }

  /** What is read from now on includes every commit until now. */
  beginReads(): void {
    this.opened?.snapshots.beginReads();
  }

  /** Settles when every owner sends its events. */
  listen(): Promise<void> {
    return this.ownerEvents.listen();
  }

  /** Takes replies and events; other messages are left to the thread. */
  receive(message: ThreadMessage): void {
    if (message.type === 'reply') this.client.replied(message);
    else if (message.type === 'events') this.ownerEvents.received(message);
    else if (message.type === 'gap') this.ownerEvents.fellBehind();
  }

  attached(link: Link, replaced: boolean): void {
    if (!replaced) return;
    this.client.peerReplaced(link);
    if (link.peer.role === 'owner') this.ownerEvents.ownerReplaced(link.peer.index);
  }

  stopListening(): void {
    this.ownerEvents.stop();
  }

  async closeSnapshots(): Promise<void> {
    await this.opened?.close();
  }
}
