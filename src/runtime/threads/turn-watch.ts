/**
 * The message that an owner thread is running, recorded in memory that outlives the thread: when it dies or hangs, the
 * supervisor knows the message. The thread writes the record; the supervisor reads it.
 */
import type { Envelope } from '../contract.ts';
import type { TurnWatch } from '../ports.ts';
import { messageBytes, messageDigest, messageHead, type PoisonList } from './poison.ts';

/** Given to a new thread. */
export interface WatchStart {
  readonly memory: SharedArrayBuffer;
  /** Digests of messages that are not run. */
  readonly poison: readonly string[];
}

/** Odd while a turn runs. */
const runsField = 0;
/**
 * Length of the message's head (`messageHead`), and of the message; the latter is 0 where its digest is stored instead.
 */
const headLengthField = 1;
const messageLengthField = 2;
const fields = 3;
const fieldBytes = fields * Int32Array.BYTES_PER_ELEMENT;
/** Longer messages are recorded as head and digest: that is slower, and they are rare. */
const messageBytesMax = 65_536;
const digestBytes = 64;

/** The thread's side. */
export class TurnWatchWriter implements TurnWatch {
  private readonly words: Int32Array;
  private readonly bytes: Buffer;
  private poison: ReadonlySet<string>;

  constructor({ memory, poison }: WatchStart) {
    this.words = new Int32Array(memory, 0, fields);
    this.bytes = Buffer.from(memory, fieldBytes);
    this.poison = new Set(poison);
  }

  begin(envelope: Envelope): boolean {
    const message = messageBytes(envelope);
    if (this.poison.size > 0 && this.poison.has(messageDigest(message))) return false;
    if (message.byteLength <= messageBytesMax) {
      this.bytes.set(message);
      this.words[messageLengthField] = message.byteLength;
    } else this.noteDigest(message);
    Atomics.add(this.words, runsField, 1);
    return true;
  }

  end(): void {
    Atomics.add(this.words, runsField, 1);
  }

  /** The list of poison messages has changed. */
  refuse(poison: readonly string[]): void {
    this.poison = new Set(poison);
  }

  private noteDigest(message: Uint8Array): void {
    const head = messageHead(message);
    this.bytes.write(messageDigest(message), 'latin1');
    this.bytes.set(head, digestBytes);
    this.words[headLengthField] = head.byteLength;
    this.words[messageLengthField] = 0;
  }
}

interface Running {
  readonly digest: string;
  readonly head: Uint8Array;
}

/** The supervisor's side, for one thread and its replacements. */
export class TurnWatchReader {
  private readonly memory = new SharedArrayBuffer(fieldBytes + messageBytesMax);
  private readonly words = new Int32Array(this.memory, 0, fields);
  private readonly bytes = Buffer.from(this.memory, fieldBytes);
  private readonly poison: PoisonList;
  private readonly millisecondsMax: number;
  private lastRun = 0;
  private milliseconds = 0;

  /** `millisecondsMax`: how much time one turn may use. */
  constructor(millisecondsMax: number, poison: PoisonList) {
    this.millisecondsMax = millisecondsMax;
    this.poison = poison;
  }

  /** For the thread that starts now. */
  start(): WatchStart {
    this.words.fill(0);
    this.milliseconds = 0;
    return { memory: this.memory, poison: this.poison.digests };
  }

  /** The thread has ended. True when a turn was running; its message is recorded. */
  died(): boolean {
    const running = this.running();
    if (running === undefined) return false;
    this.poison.died(running.digest, running.head);
    return true;
  }

  /**
   * To be called at each check, with the time that the thread could have used since the last one. True when one message
   * has used too much: it is not run again, and its thread must be replaced.
   */
  isStuck(usableMilliseconds: number): boolean {
    const run = Atomics.load(this.words, runsField);
    this.milliseconds = isOdd(run) && run === this.lastRun ? this.milliseconds + usableMilliseconds : 0;
    this.lastRun = run;
    if (this.milliseconds < this.millisecondsMax) return false;
    this.milliseconds = 0;
    const running = this.running();
    if (running === undefined) return false;
    this.poison.hung(running.digest, running.head);
    return true;
  }

  private running(): Running | undefined {
    if (!isOdd(Atomics.load(this.words, runsField))) return undefined;
    const length = this.words[messageLengthField]!;
    if (length === 0) {
      const digest = this.bytes.toString('latin1', 0, digestBytes);
      return { digest, head: this.bytes.subarray(digestBytes, digestBytes + this.words[headLengthField]!) };
    }
    const message = Uint8Array.from(this.bytes.subarray(0, length));
    return { digest: messageDigest(message), head: messageHead(message) };
  }
}

function isOdd(run: number): boolean {
  return (run & 1) === 1;
}
