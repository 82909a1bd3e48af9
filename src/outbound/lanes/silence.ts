/**
 * Hosts that began to fail while no host at all answered: more likely the network of this server was at fault than all
 * of theirs.
 */
import type { Lane } from './lane.ts';
import { laneLimits } from './limits.ts';

const none: readonly Lane[] = [];

export class Silence {
  private lastAnswerAt = Number.NEGATIVE_INFINITY;
  private readonly silenced = new Set<Lane>();

  /** A host has begun to fail, with an attempt that began at `startedAt`. */
  failed(lane: Lane, startedAt: number): void {
    if (this.lastAnswerAt < startedAt) this.silenced.add(lane);
  }

  /** A host has answered. Returns the others that have failed for some time in which none did. */
  answered(lane: Lane, now: number): readonly Lane[] {
    this.lastAnswerAt = now;
    this.silenced.delete(lane);
    if (this.silenced.size === 0) return none;
    const lanes = [...this.silenced];
    this.silenced.clear();
    return lanes.filter(({ health: { isFailing, failingSince = now } }) => {
      return isFailing && now - failingSince >= laneLimits.silenceMillisecondsMin;
    });
  }
}
