/** The heartbeat of a thread: it counts rounds of its event loop in shared memory, and the supervisor reads the count. */
import { threadLimits } from '../limits.ts';
import { ownThreadId } from './scheduler.ts';

const beatsField = 0;
/** The thread's kernel id; 0 while it loads, and where the system does not provide it. */
const threadIdField = 1;
const fields = 2;

/** The thread's side: beats until the thread ends, without keeping it alive. */
export function startBeating(memory: SharedArrayBuffer): void {
  const words = new Int32Array(memory);
  const beat = () => void Atomics.add(words, beatsField, 1);
  Atomics.store(words, threadIdField, ownThreadId());
  beat();
  setInterval(beat, threadLimits.beatMilliseconds).unref();
}

/** The supervisor's side, for one thread and its replacements. */
export class Pulse {
  readonly memory = new SharedArrayBuffer(fields * Int32Array.BYTES_PER_ELEMENT);
  private readonly words = new Int32Array(this.memory);
  private lastBeat = 0;

  get threadId(): number {
    return Atomics.load(this.words, threadIdField);
  }

  /** Whether a beat came since the last call. */
  hasBeaten(): boolean {
    const beat = Atomics.load(this.words, beatsField);
    const hasBeaten = beat !== this.lastBeat;
    this.lastBeat = beat;
    return hasBeaten;
  }

  /** Another thread starts with this memory. */
  reset(): void {
    Atomics.store(this.words, threadIdField, 0);
  }
}
