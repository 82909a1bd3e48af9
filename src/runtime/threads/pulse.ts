/**
 * The heartbeat of a thread: it counts rounds of its event loop in shared memory, and the supervisor reads the count.
 *
 * INVARIANT silence is measured in checks, and a check that came late does not count: when the process was stopped or
 * the machine slept, a silent thread proves nothing.
 */
import { threadLimits } from '../limits.ts';

/** The thread's side: beats until the thread ends, without keeping it alive. */
export function startBeating(memory: SharedArrayBuffer): void {
  const words = new Int32Array(memory);
  const beat = () => void Atomics.add(words, 0, 1);
  beat();
  setInterval(beat, threadLimits.beatMilliseconds).unref();
}

/** The supervisor's side. */
export class Pulse {
  readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  private readonly words = new Int32Array(this.memory);
  private lastBeat = 0;
  private silentLooks = 0;

  /** To be called at regular intervals. Returns how many checks in a row have seen no beat. */
  look(): number {
    const beat = Atomics.load(this.words, 0);
    this.silentLooks = beat === this.lastBeat ? this.silentLooks + 1 : 0;
    this.lastBeat = beat;
    return this.silentLooks;
  }

  /** Forgets the silence up to now. */
  forgive(): void {
    this.silentLooks = 0;
  }
}
