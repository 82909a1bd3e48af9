/**
 * The subscribers of channels that watch one status, thread or account. What each of them is shown is decided for its
 * viewer alone, when it is sent.
 */
import type { StreamEvent } from './stream-events.ts';
import type { Subscriber } from './subscriber.ts';

const nobody: ReadonlySet<Subscriber> = new Set();

export class Watchers {
  /** By kind of channel, then by what is watched. */
  private readonly kinds = new Map<Subscriber['channel']['kind'], Map<string, Set<Subscriber>>>();

  join(subscriber: Subscriber): void {
    const { kind, value } = subscriber.channel;
    if (kind.watched === undefined || value === undefined) return;
    const subjects = this.kinds.get(kind) ?? new Map<string, Set<Subscriber>>();
    this.kinds.set(kind, subjects);
    subjects.set(value, (subjects.get(value) ?? new Set()).add(subscriber));
  }

  leave(subscriber: Subscriber): void {
    const { kind, value = '' } = subscriber.channel;
    const subjects = this.kinds.get(kind);
    const watching = subjects?.get(value);
    if (subjects === undefined || watching?.delete(subscriber) !== true || watching.size > 0) return;
    subjects.delete(value);
    if (subjects.size === 0) this.kinds.delete(kind);
  }

  /** Whether anybody watches what the event is about. */
  has(event: StreamEvent): boolean {
    for (const _subscriber of this.of(event)) return true;
    return false;
  }

  /** Those whose channel carries the event. */
  *of(event: StreamEvent): Generator<Subscriber> {
    const { watched: change } = event;
    if (change === undefined) return;
    for (const [kind, subjects] of this.kinds) {
      const subject = kind.watched?.subjectOf(change)?.toString();
      if (subject === undefined) continue;
      for (const subscriber of subjects.get(subject) ?? nobody) if (subscriber.watches(event)) yield subscriber;
    }
  }
}
