/**
 * The heartbeat of a thread: it counts rounds of its event loop in shared memory. The supervisor reads the count of every
 * other thread, and these that of the main thread.
 */
import { threadLimits } from '../limits.ts';
import { ownThreadId } from './scheduler.ts';

const beatsField = 0;
/** The thread's kernel id; 0 while it loads, and where the system does not provide it. */
const threadIdField = 1;
const fields = 2;

/** The thread's side: beats until the thread ends, without keeping it alive, or until the returned function is called. */
export function startBeating(memory: SharedArrayBuffer): () => void {
  const words = new Int32Array(memory);
  const beat = () => void Atomics.add(words, beatsField, 1);
  Atomics.store(words, threadIdField, ownThreadId());
  beat();
  const timer = setInterval(beat, threadLimits.beatMilliseconds).unref();
  return () => clearInterval(timer);
}

/** The side of whoever watches, for one thread and its replacements. */
export class Pulse {
  readonly memory: SharedArrayBuffer;
  private readonly words: Int32Array;
  private lastBeat = 0;

  /** `memory`: of a pulse that another thread has made. */
  constructor(memory = new SharedArrayBuffer(fields * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.words = new Int32Array(memory);
  }

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
