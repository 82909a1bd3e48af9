/**
 * Channels that watch a status are told of changed counters at once, and then of all further changes together after a
 * pause: a status that a thousand people favourite within a second costs its watchers a few events.
 */
import type { Id } from '../../runtime/ids.ts';
import { streamLimits } from './limits.ts';

export class CountedStatuses {
  /** What is to be done after the pause of a status, if anything. */
  private readonly pauses = new Map<Id, (() => void) | undefined>();

  /** Calls `send` now, or once after the pause, in place of the ones that wait. */
  changed(statusId: Id, send: () => void): void {
    if (this.pauses.has(statusId)) {
      this.pauses.set(statusId, send);
      return;
    }
    this.pauses.set(statusId, undefined);
    setTimeout(() => this.pauseOver(statusId), streamLimits.countsPauseMilliseconds).unref();
    send();
  }

  private pauseOver(statusId: Id): void {
    const send = this.pauses.get(statusId);
    this.pauses.delete(statusId);
    if (send !== undefined) this.changed(statusId, send);
  }
}
