/**
 * Sends files. Few of them are read at a time, each into memory that is free again as soon as its socket has taken what it
 * takes: what it does not take is read again when it does, and what is still on its way is awaited without. So the memory of all downloads together is that of these few
 * reads, however many there are and however slow, and each turn of the event loop sends one piece.
 *
 * INVARIANTS
 * 1. The native response is not touched after its last byte, nor after its end was reported (`gone`).
 * 2. A source is closed once, and never while it is being read.
 */
import type { HttpResponse } from 'uWebSockets.js';
import { Failure } from '../../../runtime/errors.ts';
import { type BodySending, sendingMillisecondsMax } from '../large-answers.ts';
import { httpLimits } from '../limits.ts';
import type { FilePart } from './file-part.ts';

export interface FileAnswerEnd {
  /** Called once: when the file has been sent, or the client has left. */
  finished(): void;
  /** Called before, when it cannot be read: the connection ends, because its length has been sent. */
  failed(error: unknown): void;
}

export class FileAnswers {
  /** Bytes that the sockets have taken. */
  bytesSent = 0;
  private readonly open = new Set<FileSending>();
  /** Those whose socket takes more, in the order in which they are read. */
  private readonly ready: FileSending[] = [];
  private readonly memory: Uint8Array[] = [];
  private memories = 0;

  /** How many are being sent. */
  get count(): number {
    return this.open.size;
  }

  /** Throws Failure overloaded when there are too many. */
  begin(response: HttpResponse, file: FilePart, end: FileAnswerEnd): FileSending {
    if (this.open.size >= httpLimits.fileAnswersMax) throw new Failure('overloaded');
    const sending = new FileSending(this, response, file, end);
    this.open.add(sending);
    return sending;
  }

  ended(sending: FileSending): void {
    this.open.delete(sending);
  }

  /** Reads and sends a piece of it when it is its turn. */
  awaitTurn(sending: FileSending): void {
    this.ready.push(sending);
    this.next();
  }

  private next(): void {
    while (this.ready.length > 0) {
      const memory = this.takeMemory();
      if (memory === undefined) return;
      void this.sendPiece(this.ready.shift()!, memory);
    }
  }

  private async sendPiece(sending: FileSending, memory: Uint8Array): Promise<void> {
    await sending.sendPiece(memory);
    this.memory.push(memory);
    this.next();
  }

  private takeMemory(): Uint8Array | undefined {
    const free = this.memory.pop();
    if (free !== undefined || this.memories === httpLimits.fileReadsAtOnce) return free;
    this.memories += 1;
    return new Uint8Array(httpLimits.fileReadBytes);
  }
}

const nothing = new Uint8Array(0);

/** One file being sent. */
class FileSending implements BodySending {
  private readonly all: FileAnswers;
  private readonly response: HttpResponse;
  private readonly file: FilePart;
  private readonly end: FileAnswerEnd;
  private sent = 0;
  private isWaiting = false;
  private isReading = false;
  private over = false;
  private deadline: NodeJS.Timeout | undefined;

  constructor(all: FileAnswers, response: HttpResponse, file: FilePart, end: FileAnswerEnd) {
    this.all = all;
    this.response = response;
    this.file = file;
    this.end = end;
  }

  start(): void {
    this.response.onWritable(() => {
      this.awaitTurn();
      return true;
    });
    // The head leaves with the first bytes, and there may be none for long.
    if (this.file.source.arrival !== undefined) this.response.tryEnd(nothing, this.file.length);
    this.awaitTurn();
  }

  gone(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.deadline);
    this.all.ended(this);
    if (!this.isReading) this.file.source.close();
    this.end.finished();
  }

  /** Never rejects. */
  async sendPiece(memory: Uint8Array): Promise<void> {
    this.isWaiting = false;
    if (this.over) return;
    const { source, start, length } = this.file;
    const wanted = memory.subarray(0, Math.min(memory.byteLength, length - this.sent));
    this.isReading = true;
    const count = await this.read(wanted, start + this.sent);
    this.isReading = false;
    if (this.over) source.close();
    else if (count === undefined) this.close();
    else this.write(wanted.subarray(0, count));
  }

  /** Undefined when there is nothing to be read. */
  private async read(into: Uint8Array, offset: number): Promise<number | undefined> {
    try {
      const count = await this.file.source.read(into, offset);
      if (count > 0) return count;
      throw new Error(`A file of ${this.file.source.byteLength} bytes ends after ${offset}`);
    } catch (error) {
      this.end.failed(error);
      return undefined;
    }
  }

  private write(piece: Uint8Array): void {
    let hasRoom = false;
    let isDone = false;
    this.response.cork(() => {
      [hasRoom, isDone] = this.response.tryEnd(piece, this.file.length);
    });
    const before = this.sent;
    // The connection may have failed during the write, which has called `gone`.
    if (this.over) return;
    this.sent = isDone ? this.file.length : this.response.getWriteOffset();
    this.all.bytesSent += this.sent - before;
    if (isDone) this.gone();
    else if (hasRoom) this.awaitTurn();
    else this.limitTime();
  }

  private awaitTurn(): void {
    if (this.isWaiting || this.isReading || this.over) return;
    this.isWaiting = true;
    if (this.file.source.arrival === undefined) this.all.awaitTurn(this);
    else void this.awaitArrival();
  }

  /** Without memory meanwhile. Never rejects. */
  private async awaitArrival(): Promise<void> {
    const { source, start } = this.file;
    try {
      await source.arrival?.(start + this.sent);
    } catch (error) {
      if (!this.over) this.end.failed(error);
      this.close();
    }
    if (!this.over) this.all.awaitTurn(this);
  }

  private close(): void {
    if (this.over) return;
    this.response.close();
    this.gone();
  }

  private limitTime(): void {
    this.deadline ??= setTimeout(() => this.close(), sendingMillisecondsMax(this.file.length)).unref();
  }
}
