/**
 * What an owner thread runs at this moment, noted in memory that outlives it: a message that ran when
 * its thread died, twice, or that ran for too long, counts as one that throws, and is not run again. The thread writes
 * the notes; the supervisor reads them.
 */
import type { Envelope } from '../contract.ts';
import { threadLimits } from '../limits.ts';
import type { TurnWatch } from '../ports.ts';
import { digestOf } from './message-digest.ts';

/** What a new thread is given. */
export interface WatchStart {
  readonly memory: SharedArrayBuffer;
  /** Digests of messages that are not run. */
  readonly refused: readonly number[];
}

const runsField = 0;
const digestHighField = 1;
const digestLowField = 2;
const memoryBytes = 12;
const lowBits = 0x1_0000_0000;

/** The thread's side. */
export class TurnNotes implements TurnWatch {
  private readonly words: Int32Array;
  private readonly refused: ReadonlySet<number>;

  constructor({ memory, refused }: WatchStart) {
    this.words = new Int32Array(memory);
    this.refused = new Set(refused);
  }

  begin(envelope: Envelope): boolean {
    const digest = digestOf(envelope);
    if (this.refused.size > 0 && this.refused.has(digest)) return false;
    this.words[digestHighField] = digest / lowBits;
    this.words[digestLowField] = digest | 0;
    Atomics.add(this.words, runsField, 1);
    return true;
  }

  end(): void {
    Atomics.add(this.words, runsField, 1);
  }
}

/** The supervisor's side, for one thread and those that take its place. */
export class TurnRecord {
  private readonly words = new Int32Array(new SharedArrayBuffer(memoryBytes));
  /** How often a thread died while the message ran. */
  private readonly deaths = new Map<number, number>();
  private readonly refused = new Set<number>();
  private readonly looksMax: number;
  private lastRun = 0;
  private looks = 0;

  /** `looksMax`: how many looks in a row may find the same run. */
  constructor(looksMax: number) {
    this.looksMax = looksMax;
  }

  /** For the thread that begins now. */
  start(): WatchStart {
    this.words.fill(0);
    this.looks = 0;
    return { memory: this.words.buffer as SharedArrayBuffer, refused: [...this.refused] };
  }

  /** The thread is gone: whatever ran at that moment is noted. */
  died(): void {
    const digest = this.running();
    if (digest === undefined) return;
    const count = (this.deaths.get(digest) ?? 0) + 1;
    this.deaths.set(digest, count);
    if (count >= threadLimits.deathsPerMessageMax) this.refuse(digest);
    if (this.deaths.size > threadLimits.notedMessagesMax) this.deaths.delete(this.deaths.keys().next().value!);
  }

  /**
   * To be asked at regular intervals (a pause of the whole process is no fault of a message). True when the same message
   * has been running at too many looks: it is not run again, and its thread has to be replaced.
   */
  isStuck(): boolean {
    const run = Atomics.load(this.words, runsField);
    const digest = this.running();
    this.looks = digest !== undefined && run === this.lastRun ? this.looks + 1 : 0;
    this.lastRun = run;
    if (digest === undefined || this.looks < this.looksMax) return false;
    this.looks = 0;
    this.refuse(digest);
    return true;
  }

  /** The time up to now counts for nothing. */
  forgive(): void {
    this.looks = 0;
  }

  private refuse(digest: number): void {
    this.refused.add(digest);
    if (this.refused.size > threadLimits.notedMessagesMax) this.refused.delete(this.refused.values().next().value!);
  }

  private running(): number | undefined {
    if ((Atomics.load(this.words, runsField) & 1) === 0) return undefined;
    return this.words[digestHighField]! * lowBits + (this.words[digestLowField]! >>> 0);
  }
}
