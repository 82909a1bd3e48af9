/**
 * Sends large answers in pieces, one per round of the event loop, so that other requests run in between. The next piece
 * waits until the client has read the previous one. The total that waits for clients is bounded: above the bound those are
 * closed that do not read, the oldest first, and a burst for clients that do may take twice as much; then new answers are
 * refused. The HTTP library closes clients that read nothing for some seconds; clients that read slowly get a deadline
 * here.
 *
 * INVARIANT the native response is not touched after its last piece, nor after its end was reported (`gone`).
 */
import type { HttpResponse } from 'uWebSockets.js';
import { Failure } from '../../runtime/errors.ts';
import type { TimeSlices } from '../../services/time-slices.ts';
import type { AnswerBlocks } from './answer-blocks.ts';
import { type AnswerBody, isInPieces } from './answers.ts';
import { httpLimits } from './limits.ts';

const { pieceBytes, answerBytesPerSecondMin, answerGraceMilliseconds, answerStallMilliseconds, answerBurst } =
  httpLimits;

export interface LargeAnswersOptions {
  readonly slices: TimeSlices;
  readonly blocks: AnswerBlocks;
  /** Bound on the bytes that wait for all clients, beyond bursts. A single answer may exceed it. */
  readonly bytesMax: number;
}

export class LargeAnswers {
  /** Bytes that are not sent yet. */
  bytes = 0;
  readonly slices: TimeSlices;
  readonly blocks: AnswerBlocks;
  private readonly bytesMax: number;
  /** Oldest first. */
  private readonly answers = new Set<LargeAnswer>();
  /** Set while more waits than the bound. */
  private nextLook: NodeJS.Timeout | undefined;

  constructor({ slices, blocks, bytesMax }: LargeAnswersOptions) {
    this.slices = slices;
    this.blocks = blocks;
    this.bytesMax = bytesMax;
  }

  /**
   * `finished` is called once: when the body has been sent, or the client has left. Throws Failure overloaded when too much
   * waits.
   */
  begin(response: HttpResponse, body: AnswerBody, finished: () => void): LargeAnswer {
    const answer = new LargeAnswer(this, response, body, finished);
    this.makeRoom(answer.left);
    if (this.answers.size > 0 && this.bytes + answer.left > this.bytesMax * answerBurst) {
      answer.giveBack();
      throw new Failure('overloaded');
    }
    this.answers.add(answer);
    this.bytes += answer.left;
    return answer;
  }

  sent(bytes: number): void {
    this.bytes -= bytes;
  }

  ended(answer: LargeAnswer): void {
    this.answers.delete(answer);
    this.bytes -= answer.left;
  }

  /** Closes answers that nobody reads, as long as there is too much. Looks again while there is. */
  private makeRoom(forBytes = 0): void {
    const now = performance.now();
    for (const answer of this.answers) {
      if (this.bytes + forBytes <= this.bytesMax) return;
      // The only one may be as large as it is.
      if (this.answers.size === 1 && forBytes === 0) return;
      if (answer.isStalled(now)) answer.close();
    }
    if (this.bytes + forBytes <= this.bytesMax || this.nextLook !== undefined) return;
    this.nextLook = setTimeout(() => {
      this.nextLook = undefined;
      this.makeRoom();
    }, answerStallMilliseconds).unref();
  }
}

/** A body that is sent as its reader takes it. */
export interface BodySending {
  /** Call after the headers were written. */
  start(): void;
  /** The client has left. */
  gone(): void;
}

/** One answer being sent. */
export class LargeAnswer implements BodySending {
  /** Bytes not sent yet. */
  left: number;
  private readonly all: LargeAnswers;
  private readonly response: HttpResponse;
  private readonly total: number;
  private readonly finished: () => void;
  private readonly pieces: Uint8Array[];
  private next = 0;
  private over = false;
  private isWriting = false;
  private deadline: NodeJS.Timeout | undefined;
  private readAt = performance.now();

  constructor(all: LargeAnswers, response: HttpResponse, body: AnswerBody, finished: () => void) {
    this.all = all;
    this.response = response;
    this.finished = finished;
    this.pieces = piecesOf(body, all.blocks);
    this.total = this.pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    this.left = this.total;
  }

  /** Call after the headers were written. */
  start(): void {
    this.response.onWritable(() => {
      this.write();
      return true;
    });
    this.write();
  }

  /** The answer has ended, or the client has left. */
  gone(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.deadline);
    this.all.ended(this);
    this.giveBack();
    this.finished();
  }

  /** Releases the memory of what is not sent. */
  giveBack(): void {
    for (const piece of this.pieces) this.all.blocks.giveBack(piece);
    this.pieces.length = 0;
  }

  /** Nothing of it was read lately. */
  isStalled(now: number): boolean {
    return now - this.readAt >= answerStallMilliseconds;
  }

  close(): void {
    if (this.over) return;
    this.response.close();
    this.gone();
  }

  private write(): void {
    if (this.isWriting) return;
    this.isWriting = true;
    void this.all.slices.run(this.writePieces());
  }

  /** Writes one piece per slice, until the client's buffer is full. */
  private *writePieces(): Generator<undefined, void> {
    while (!this.over && this.writePiece()) yield;
    this.isWriting = false;
  }

  /** False when the buffer is full or the answer has ended. */
  private writePiece(): boolean {
    const piece = this.pieces[this.next]!;
    let hasRoom = false;
    let isDone = false;
    this.response.cork(() => {
      [hasRoom, isDone] = this.response.tryEnd(piece, this.total);
    });
    // The connection may have failed during the write, which has called `gone`.
    if (this.over) return false;
    if (isDone) {
      this.gone();
      return false;
    }
    this.note(this.total - this.left, this.response.getWriteOffset());
    if (!hasRoom) this.limitTime();
    return hasRoom;
  }

  private note(before: number, offset: number): void {
    const sent = offset - before;
    if (sent > 0) this.readAt = performance.now();
    this.left -= sent;
    this.all.sent(sent);
    const piece = this.pieces[this.next]!;
    if (sent < piece.byteLength) {
      this.pieces[this.next] = piece.subarray(sent);
    } else {
      this.all.blocks.giveBack(piece);
      this.pieces[this.next] = nothing;
      this.next += 1;
    }
  }

  private limitTime(): void {
    this.deadline ??= setTimeout(() => this.close(), sendingMillisecondsMax(this.total)).unref();
  }
}

/** How long a client may take that reads as slowly as it may. */
export function sendingMillisecondsMax(bytes: number): number {
  return answerGraceMilliseconds + (1_000 * bytes) / answerBytesPerSecondMin;
}

const nothing = new Uint8Array(0);

/** A body in one buffer is copied, because that buffer may be reused before the last piece is sent. */
function piecesOf(body: AnswerBody, blocks: AnswerBlocks): Uint8Array[] {
  if (isInPieces(body)) return body.flatMap(cut);
  return typeof body === 'string' ? cut(Buffer.from(body)) : blocks.copyOf(body);
}

function cut(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.byteLength; start += pieceBytes)
    pieces.push(bytes.subarray(start, start + pieceBytes));
  return pieces;
}
