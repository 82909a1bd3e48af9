/**
 * Runs the replays of a gateway in turn, each for a slice of time: neither one long replay nor many at once may delay
 * live events.
 */
import { performance } from 'node:perf_hooks';
import { streamLimits } from './limits.ts';
import type { Positions } from './position.ts';
import type { Replay } from './replay.ts';

export interface ReplaysOptions {
  /** The position of live events. */
  readonly dispatched: Positions;
  /** The stream has caught up with the live events. Called before the next event is dispatched. */
  caughtUp(replay: Replay): void;
  /** No replay is left. */
  allOver(): void;
}

export class Replays {
  private readonly options: ReplaysOptions;
  private queue: Replay[] = [];
  private blocked: Replay[] = [];
  private isScheduled = false;
  private sliceEnd = 0;

  constructor(options: ReplaysOptions) {
    this.options = options;
  }

  add(replay: Replay): void {
    this.queue.push(replay);
    this.schedule();
  }

  /** Call when a blocked replay may be able to continue. */
  unblock(): void {
    if (this.blocked.length === 0) return;
    this.queue.push(...this.blocked);
    this.blocked = [];
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(this.slice);
  }

  private readonly slice = () => {
    this.isScheduled = false;
    this.sliceEnd = performance.now() + streamLimits.replaySliceMilliseconds;
    const turns = this.queue;
    this.queue = [];
    const again: Replay[] = [];
    let taken = 0;
    // At least one runs in each slice, however slow the machine.
    while (taken < turns.length && (taken === 0 || this.hasTime())) {
      if (this.step(turns[taken]!) === 'later') again.push(turns[taken]!);
      taken += 1;
    }
    this.queue = [...turns.slice(taken), ...this.queue, ...again];
    if (this.queue.length > 0) this.schedule();
    else if (this.blocked.length === 0) this.options.allOver();
  };

  private readonly hasTime = () => performance.now() < this.sliceEnd;

  private step(replay: Replay): 'later' | 'over' {
    // The stream has ended, or has begun another replay.
    if (replay.subscriber.replay !== replay) return 'over';
    const outcome = replay.step(this.options.dispatched, this.hasTime);
    if (outcome === 'later') return outcome;
    if (outcome === 'done') this.options.caughtUp(replay);
    else this.blocked.push(replay);
    return 'over';
  }
}
