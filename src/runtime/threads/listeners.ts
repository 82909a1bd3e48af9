/**
 * The threads that listen to the events of an owner. A listener that does not keep up is left behind: it gets no events
 * until it has read most of its backlog, and then a gap before anything newer.
 */
import { type EventRecipients, type PublishedEvents, packEvents, type WantedEvents } from '../events/event.ts';
import { threadLimits } from '../limits.ts';
import type { Problem } from '../ports.ts';
import type { Link } from './link.ts';
import type { ThreadName } from './role.ts';

interface Listener {
  /** Undefined for all. */
  readonly wanted: ReadonlySet<number> | undefined;
  readonly isWhole: boolean;
  isBehind: boolean;
}

const noRecipients: readonly EventRecipients[] = [];
const idBytes = 16;

export class Listeners {
  private readonly report: (problem: Problem) => void;
  private readonly listeners = new Map<Link, Listener>();
  private catchUpTimer: NodeJS.Timeout | undefined;

  constructor(report: (problem: Problem) => void) {
    this.report = report;
  }

  add(link: Link, events: WantedEvents | undefined): void {
    const wanted = events === undefined ? undefined : new Set(events.numbers);
    this.listeners.set(link, { wanted, isWhole: events?.isWhole ?? events === undefined, isBehind: false });
  }

  /** How many follow, and how many were left behind. */
  get counts(): { readonly following: number; readonly behind: number } {
    let behind = 0;
    for (const { isBehind } of this.listeners.values()) if (isBehind) behind += 1;
    return { following: this.listeners.size - behind, behind };
  }

  /** The thread of this name has ended. */
  remove({ number }: ThreadName): void {
    for (const link of this.listeners.keys()) if (link.peer.number === number) this.listeners.delete(link);
  }

  /** Recipients are sent only to listeners that get whole commits; where they are not known, these get a gap. */
  publish(batch: PublishedEvents, recipients: readonly EventRecipients[] | undefined): void {
    let all: Uint8Array | undefined;
    for (const [link, listener] of this.listeners) {
      const wanted = wantedOf(listener, batch);
      if (wanted.length === 0) continue;
      if (this.isLeftBehind(link, listener)) continue;
      if (listener.isWhole) {
        all ??= packEvents(batch.packed);
        send(link, batch, all, recipients ?? noRecipients);
        if (recipients === undefined) link.send({ type: 'gap' });
      } else send(link, batch, packEvents(wanted), noRecipients);
    }
  }

  /** To all: what they have read no longer holds. Those left behind get theirs once they have caught up. */
  publishGap(): void {
    for (const [link, listener] of this.listeners) if (!this.isLeftBehind(link, listener)) link.send({ type: 'gap' });
  }

  close(): void {
    clearInterval(this.catchUpTimer);
  }

  private isLeftBehind(link: Link, listener: Listener): boolean {
    if (!listener.isBehind && link.backlog.isFull) {
      listener.isBehind = true;
      const { role, index } = link.peer;
      this.report({ level: 'warn', message: `${role} thread ${index} does not keep up with events and misses some` });
      this.catchUpTimer ??= setInterval(() => this.catchUp(), threadLimits.catchUpMilliseconds).unref();
    }
    return listener.isBehind;
  }

  private catchUp(): void {
    let behind = 0;
    for (const [link, listener] of this.listeners) {
      if (listener.isBehind && !link.backlog.isHalfFull) {
        listener.isBehind = false;
        link.send({ type: 'gap' });
      }
      if (listener.isBehind) behind += 1;
    }
    if (behind > 0) return;
    clearInterval(this.catchUpTimer);
    this.catchUpTimer = undefined;
  }
}

/** Packed. */
function wantedOf({ wanted }: Listener, { events, packed }: PublishedEvents): readonly Uint8Array[] {
  return wanted === undefined ? packed : packed.filter((_, index) => wanted.has(events[index]!.event));
}

function send(
  link: Link,
  { partition, commit }: PublishedEvents,
  events: Uint8Array,
  recipients: readonly EventRecipients[],
): void {
  const bytes = recipients.reduce((sum, { ids }) => sum + ids.length * idBytes, events.byteLength);
  link.send({ type: 'events', partition, commit, events, recipients }, bytes);
}
