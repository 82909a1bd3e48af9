/**
 * The message that an owner thread is running, recorded in memory that outlives the thread: when it dies or hangs, the
 * supervisor knows the message. The thread writes the record; the supervisor reads it.
 */
import type { Envelope } from '../contract.ts';
import type { Problem, TurnWatch } from '../ports.ts';
import { messageBytes, messageDigest, messageHead, type PoisonList } from './poison.ts';
import { TurnMark } from './turn-mark.ts';

/** Given to a new thread. */
export interface WatchStart {
  readonly memory: SharedArrayBuffer;
  /** Digests of messages that are not run. */
  readonly poison: readonly string[];
  /** A file for the record, which then outlives the process as well (turn-mark.ts). */
  readonly markPath?: string | undefined;
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
  private readonly record: Buffer;
  private readonly mark: TurnMark | undefined;
  private poison: ReadonlySet<string>;

  constructor({ memory, poison, markPath }: WatchStart, report: (problem: Problem) => void) {
    this.words = new Int32Array(memory, 0, fields);
    this.bytes = Buffer.from(memory, fieldBytes);
    this.record = Buffer.from(memory);
    this.mark = markPath === undefined ? undefined : new TurnMark(markPath, report);
    this.poison = new Set(poison);
  }

  begin(envelope: Envelope): boolean {
    const message = messageBytes(envelope);
    if (this.poison.size > 0 && this.poison.has(messageDigest(message))) return false;
    const bytes = message.byteLength <= messageBytesMax ? this.noteMessage(message) : this.noteDigest(message);
    Atomics.add(this.words, runsField, 1);
    this.mark?.write(this.record.subarray(0, fieldBytes + bytes));
    return true;
  }

  end(): void {
    Atomics.add(this.words, runsField, 1);
    this.mark?.write(this.record.subarray(0, fieldBytes));
  }

  /** The list of poison messages has changed. */
  refuse(poison: readonly string[]): void {
    this.poison = new Set(poison);
  }

  /** Returns how many bytes it takes. */
  private noteMessage(message: Uint8Array): number {
    this.bytes.set(message);
    this.words[messageLengthField] = message.byteLength;
    return message.byteLength;
  }

  /** The same. */
  private noteDigest(message: Uint8Array): number {
    const head = messageHead(message);
    this.bytes.write(messageDigest(message), 'latin1');
    this.bytes.set(head, digestBytes);
    this.words[headLengthField] = head.byteLength;
    this.words[messageLengthField] = 0;
    return digestBytes + head.byteLength;
  }
}

export interface RunningMessage {
  readonly digest: string;
  readonly head: Uint8Array;
}

/** The message that was running, by its record; undefined for none. Throws for what is no record. */
export function runningIn(memory: ArrayBuffer | SharedArrayBuffer): RunningMessage | undefined {
  const words = new Int32Array(memory, 0, fields);
  const bytes = Buffer.from(memory, fieldBytes);
  if (!isOdd(Atomics.load(words, runsField))) return undefined;
  const length = words[messageLengthField]!;
  if (length === 0) {
    const digest = bytes.toString('latin1', 0, digestBytes);
    return { digest, head: bytes.subarray(digestBytes, digestBytes + words[headLengthField]!) };
  }
  const message = Uint8Array.from(bytes.subarray(0, length));
  return { digest: messageDigest(message), head: messageHead(message) };
}

/** The supervisor's side, for one thread and its replacements. */
export class TurnWatchReader {
  private readonly memory = new SharedArrayBuffer(fieldBytes + messageBytesMax);
  private readonly words = new Int32Array(this.memory, 0, fields);
  private readonly poison: PoisonList;
  private readonly millisecondsMax: number;
  private readonly markPath: string | undefined;
  private lastRun = 0;
  private milliseconds = 0;

  /** `millisecondsMax`: how much time one turn may use. */
  constructor(millisecondsMax: number, poison: PoisonList, markPath?: string) {
    this.millisecondsMax = millisecondsMax;
    this.poison = poison;
    this.markPath = markPath;
  }

  /** For the thread that starts now. */
  start(): WatchStart {
    this.words.fill(0);
    this.milliseconds = 0;
    return { memory: this.memory, poison: this.poison.digests, markPath: this.markPath };
  }

  /** The thread has ended. True when a turn was running; its message is recorded. */
  died(): boolean {
    const running = runningIn(this.memory);
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
    const running = runningIn(this.memory);
    if (running === undefined) return false;
    this.poison.hung(running.digest, running.head);
    return true;
  }
}

function isOdd(run: number): boolean {
  return (run & 1) === 1;
}
