/**
 * Deletes of statuses whose author is not known here. Without a key they prove nothing, and none is fetched for what most
 * likely concerns nobody. But a Create that failed may be repeated after its Delete: so the requests wait here, in bounded
 * memory, and are looked at when something of their actor has been verified.
 *
 * INVARIANT nothing is decided by what waits: it is verified like any request, and by then may be too old.
 */
import { hostOf } from '../documents/values.ts';
import { activityLimits } from '../limits.ts';
import type { InboxRequest } from './inbox-request.ts';

const { earlyDeletesMax, earlyDeletesPerHostMax, earlyDeletesPerActorMax } = activityLimits;

export class EarlyDeletes {
  /** By the URI of the actor; the oldest first. */
  private readonly waiting = new Map<string, InboxRequest[]>();
  private readonly perHost = new Map<string, number>();
  private count = 0;

  /** The oldest make room, except for a host that has its share. */
  keep(actor: string, request: InboxRequest): void {
    const host = hostOf(actor);
    if (host === undefined || (this.perHost.get(host) ?? 0) >= earlyDeletesPerHostMax) return;
    const known = this.waiting.get(actor) ?? [];
    if (known.length >= earlyDeletesPerActorMax) return;
    this.waiting.set(actor, [...known, request]);
    this.counted(host, 1);
    const [oldest] = this.waiting.keys();
    if (this.count > earlyDeletesMax && oldest !== undefined) this.take(oldest);
  }

  /** Undefined for none. */
  take(actor: string): readonly InboxRequest[] | undefined {
    if (this.count === 0) return undefined;
    const found = this.waiting.get(actor);
    if (found === undefined) return undefined;
    this.waiting.delete(actor);
    this.counted(hostOf(actor)!, -found.length);
    return found;
  }

  private counted(host: string, change: number): void {
    this.count += change;
    const left = (this.perHost.get(host) ?? 0) + change;
    if (left === 0) this.perHost.delete(host);
    else this.perHost.set(host, left);
  }
}
