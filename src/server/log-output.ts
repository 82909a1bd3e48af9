/**
 * Where the log of all threads is written, without waiting for whoever reads it: a pipe that is full, a terminal that is
 * paused or a disk without room must not stop a server. Lines that cannot be written yet wait in memory that the threads
 * share.
 *
 * INVARIANTS
 * 1. Lines leave in the order in which they were reported, by whichever thread, and whole.
 * 2. A line that can be written is written before its report returns: what was reported before a crash is in the log.
 * 3. Lines for which there is no room are dropped and counted; a line of the log says so where they are missing.
 * 4. Nothing is lost at an end in order, unless nobody reads for long (`flush`).
 */
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../runtime/threads/clock.ts';

export const logLimits = {
  /** Of all threads together, some thousand lines. A longer line is dropped. */
  waitingBytesMax: 1_048_576,
  /** How often it is tried again whether somebody reads. */
  retryMilliseconds: 100,
  /** How long an end in order waits for whoever reads the log. */
  flushMilliseconds: 5_000,
} as const;

/** Given to each thread. */
export interface LogFile {
  /** A file descriptor: threads of one process share them. */
  readonly file: number;
  readonly memory: SharedArrayBuffer;
}

const [lockField, startField, lengthField, droppedField, forsakenField] = [0, 1, 2, 3, 4];
const headBytes = 5 * Int32Array.BYTES_PER_ELEMENT;
/** Far longer than anybody has the lock: who has it longer was ended meanwhile. */
const lockMilliseconds = 1_000;
const [free, taken] = [0, 1];
/** Errors that end when somebody reads, or when there is room. With any other the output is gone for good. */
const passing: ReadonlySet<string | undefined> = new Set(['EAGAIN', 'EINTR', 'ENOSPC', 'EDQUOT']);

/** For a file descriptor that other programs may share: the standard output or the standard error. */
export function openLogFile(file: number, waitingBytesMax: number = logLimits.waitingBytesMax): LogFile {
  return { file: withoutWaiting(file), memory: new SharedArrayBuffer(headBytes + waitingBytesMax) };
}

/**
 * Whether a write waits belongs to the open file, which the programs that share it would lose. So pipes and terminals are
 * opened once more. Sockets cannot be; Node has made those of the standard streams such that they do not wait.
 */
function withoutWaiting(file: number): number {
  try {
    if (fstatSync(file).isFile()) return file;
    return openSync(`/proc/self/fd/${file}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return file;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** One for each thread. */
export class LogOutput {
  private readonly file: number;
  private readonly words: Int32Array;
  /** A ring. */
  private readonly waiting: Uint8Array;
  private triedAt = Number.NEGATIVE_INFINITY;

  constructor({ file, memory }: LogFile) {
    this.file = file;
    this.words = new Int32Array(memory, 0, headBytes / Int32Array.BYTES_PER_ELEMENT);
    this.waiting = new Uint8Array(memory, headBytes);
  }

  /** `line` ends in a line feed. */
  write(line: string): void {
    if (this.get(forsakenField) !== 0) return;
    const bytes = Buffer.from(line);
    this.locked(() => {
      const isStalled = this.isWaiting && systemClock.monotonic() - this.triedAt < logLimits.retryMilliseconds;
      this.keep(bytes);
      if (!isStalled) this.writeWaiting();
    });
  }

  /** To be called on the main thread: writes what waits as soon as somebody reads. Does not keep the process alive. */
  retry(): void {
    setInterval(() => {
      if (this.isWaiting) this.locked(() => this.writeWaiting());
    }, logLimits.retryMilliseconds).unref();
  }

  /** Settles when everything was written, or at the latest after so long. */
  async flush(milliseconds: number = logLimits.flushMilliseconds): Promise<void> {
    const deadline = systemClock.monotonic() + milliseconds;
    for (;;) {
      if (this.isWaiting) this.locked(() => this.writeWaiting());
      if (!this.isWaiting || systemClock.monotonic() >= deadline) return;
      await setTimeout(logLimits.retryMilliseconds / 10);
    }
  }

  /** Whether something was not written yet. */
  get isWaiting(): boolean {
    return this.get(lengthField) > 0;
  }

  private keep(bytes: Uint8Array): void {
    const dropped = this.get(droppedField);
    const notice = dropped === 0 ? undefined : noticeOf(dropped);
    const room = this.waiting.byteLength - this.get(lengthField);
    if (bytes.byteLength + (notice?.byteLength ?? 0) > room) {
      this.set(droppedField, dropped + 1);
      return;
    }
    if (notice !== undefined) this.append(notice);
    this.append(bytes);
    this.set(droppedField, 0);
  }

  private append(bytes: Uint8Array): void {
    const { waiting } = this;
    const length = this.get(lengthField);
    const at = (this.get(startField) + length) % waiting.byteLength;
    const fitting = Math.min(bytes.byteLength, waiting.byteLength - at);
    waiting.set(bytes.subarray(0, fitting), at);
    waiting.set(bytes.subarray(fitting), 0);
    this.set(lengthField, length + bytes.byteLength);
  }

  /** As far as it goes. */
  private writeWaiting(): void {
    this.triedAt = systemClock.monotonic();
    for (;;) {
      if (!this.isWaiting && this.get(droppedField) > 0) this.keep(new Uint8Array());
      const [start, length] = [this.get(startField), this.get(lengthField)];
      if (length === 0) return;
      const written = this.tryWrite(this.waiting.subarray(start, start + length));
      if (written === 0) return;
      this.set(startField, (start + written) % this.waiting.byteLength);
      this.set(lengthField, length - written);
    }
  }

  /** Returns how much was written. */
  private tryWrite(bytes: Uint8Array): number {
    try {
      return writeSync(this.file, bytes);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (!passing.has(error.code)) {
        this.set(forsakenField, 1);
        this.set(lengthField, 0);
      }
      return 0;
    }
  }

  /** Nothing in `work` waits. */
  private locked(work: () => void): void {
    const { words } = this;
    while (Atomics.compareExchange(words, lockField, free, taken) !== free)
      if (Atomics.wait(words, lockField, taken, lockMilliseconds) === 'timed-out') break;
    try {
      work();
    } finally {
      Atomics.store(words, lockField, free);
      Atomics.notify(words, lockField, 1);
    }
  }

  private get(field: number): number {
    return Atomics.load(this.words, field);
  }

  private set(field: number, value: number): void {
    Atomics.store(this.words, field, value);
  }
}

/** In the form of the other lines (log.ts). */
function noticeOf(dropped: number): Uint8Array {
  const msg = `${dropped} lines of the log are missing here: nobody read it`;
  return Buffer.from(`${JSON.stringify({ level: 'warn', time: systemClock.now(), thread: 'main', msg })}\n`);
}
