/**
 * The threads that listen to the events of an owner. A listener that does not keep up is left behind: it gets no events
 * until it has read most of its backlog, and then a gap before anything newer.
 */
import type { EventBatch, EventRecipients, LoggedEvent } from '../events/event.ts';
import { threadLimits } from '../limits.ts';
import type { Problem } from '../ports.ts';
import type { Link } from './link.ts';
import type { ThreadName } from './messages.ts';

interface Listener {
  /** Numbers of the events wanted; undefined for all. */
  readonly wanted: ReadonlySet<number> | undefined;
  isBehind: boolean;
}

const noRecipients: readonly EventRecipients[] = [];
const eventBytesAssumed = 256;
const idBytes = 16;

export class Listeners {
  private readonly report: (problem: Problem) => void;
  private readonly listeners = new Map<Link, Listener>();
  private catchUpTimer: NodeJS.Timeout | undefined;

  constructor(report: (problem: Problem) => void) {
    this.report = report;
  }

  add(link: Link, events: readonly number[] | undefined): void {
    this.listeners.set(link, { wanted: events === undefined ? undefined : new Set(events), isBehind: false });
  }

  /** How many follow, and how many were left behind. */
  get counts(): { readonly following: number; readonly behind: number } {
    let behind = 0;
    for (const { isBehind } of this.listeners.values()) if (isBehind) behind += 1;
    return { following: this.listeners.size - behind, behind };
  }

  /** The thread of this name has ended. */
  remove({ role, index }: ThreadName): void {
    for (const link of this.listeners.keys())
      if (link.peer.role === role && link.peer.index === index) this.listeners.delete(link);
  }

  /** Recipients are sent only to listeners that want all events. */
  publish(batch: EventBatch, recipients: readonly EventRecipients[]): void {
    let bytes: number | undefined;
    for (const [link, listener] of this.listeners) {
      const events = eventsFor(listener, batch);
      if (events.length === 0) continue;
      if (this.isLeftBehind(link, listener)) continue;
      bytes ??= bytesOf(batch.events, recipients);
      if (listener.wanted === undefined) link.send({ type: 'events', batch, recipients }, bytes);
      else link.send({ type: 'events', batch: { ...batch, events }, recipients: noRecipients }, bytes);
    }
  }

  close(): void {
    clearInterval(this.catchUpTimer);
  }

  private isLeftBehind(link: Link, listener: Listener): boolean {
    if (!listener.isBehind && link.backlog.isFull) {
      listener.isBehind = true;
      const { role, index } = link.peer;
      this.report({ level: 'warn', message: `${role} thread ${index} does not keep up with events: it misses some` });
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

function eventsFor({ wanted }: Listener, { events }: EventBatch): readonly LoggedEvent[] {
  return wanted === undefined ? events : events.filter(({ event }) => wanted.has(event));
}

/** About the size of a batch in a port; long texts count in full. */
function bytesOf(events: readonly LoggedEvent[], recipients: readonly EventRecipients[]): number {
  let bytes = 0;
  for (const { body } of events) bytes += eventBytesAssumed + textBytesOf(body);
  for (const { ids } of recipients) bytes += ids.length * idBytes;
  return bytes;
}

function textBytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;
  for (const name in value) bytes += 8 + textBytesOf((value as Record<string, unknown>)[name]);
  return bytes;
}
