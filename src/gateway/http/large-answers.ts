/**
 * Large answers are sent in pieces: one in each round of the event loop, so that nobody else waits for all of them, and
 * none while the client has not read what was sent. So what waits for slow clients is known, and has a bound for all of
 * them: above it those that have taken longest are closed. The HTTP library closes those that take nothing for some
 * seconds; those that take a little from time to time get a deadline.
 *
 * INVARIANT the native response is not touched after its last piece, nor after its end was reported (`gone`).
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { TimeSlices } from '../../services/time-slices.ts';
import { type AnswerBody, isInPieces } from './answers.ts';
import { httpLimits } from './limits.ts';

const { pieceBytes, answerBytesPerSecondMin, answerGraceMilliseconds } = httpLimits;

export interface LargeAnswersOptions {
  readonly slices: TimeSlices;
  /** What may wait for all clients together. One answer may always wait. */
  readonly bytesMax: number;
}

export class LargeAnswers {
  /** What was not sent yet. */
  bytes = 0;
  readonly slices: TimeSlices;
  private readonly bytesMax: number;
  /** Oldest first. */
  private readonly answers = new Set<LargeAnswer>();

  constructor({ slices, bytesMax }: LargeAnswersOptions) {
    this.slices = slices;
    this.bytesMax = bytesMax;
  }

  /** `finished` is called once: when the body has been sent, or the client has left. */
  begin(response: HttpResponse, body: AnswerBody, finished: () => void): LargeAnswer {
    const answer = new LargeAnswer(this, response, body, finished);
    this.answers.add(answer);
    this.bytes += answer.left;
    while (this.bytes > this.bytesMax && this.answers.size > 1) this.closeOldest();
    return answer;
  }

  sent(bytes: number): void {
    this.bytes -= bytes;
  }

  ended(answer: LargeAnswer): void {
    this.answers.delete(answer);
    this.bytes -= answer.left;
  }

  private closeOldest(): void {
    const [oldest] = this.answers;
    oldest!.close();
  }
}

/** One of them. */
export class LargeAnswer {
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

  constructor(all: LargeAnswers, response: HttpResponse, body: AnswerBody, finished: () => void) {
    this.all = all;
    this.response = response;
    this.finished = finished;
    this.pieces = piecesOf(body);
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
    this.pieces.length = 0;
    this.finished();
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

  /** One piece in each slice, until the client has to read first. */
  private *writePieces(): Generator<undefined, void> {
    while (!this.over && this.writePiece()) yield;
    this.isWriting = false;
  }

  /** False when there is nothing to do for now, or at all. */
  private writePiece(): boolean {
    const piece = this.pieces[this.next]!;
    let hasRoom = false;
    let isDone = false;
    this.response.cork(() => {
      [hasRoom, isDone] = this.response.tryEnd(piece, this.total);
    });
    // A connection that failed while it was written to has reported its end meanwhile.
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
    this.left -= sent;
    this.all.sent(sent);
    const piece = this.pieces[this.next]!;
    if (sent < piece.byteLength) {
      this.pieces[this.next] = piece.subarray(sent);
    } else {
      // Its memory is given back while the others wait.
      this.pieces[this.next] = nothing;
      this.next += 1;
    }
  }

  private limitTime(): void {
    const milliseconds = answerGraceMilliseconds + (1_000 * this.total) / answerBytesPerSecondMin;
    this.deadline ??= setTimeout(() => this.close(), milliseconds).unref();
  }
}

const nothing = new Uint8Array(0);

/** Bytes that are one piece are copied: their memory may be used for the next answer before the last of them are sent. */
function piecesOf(body: AnswerBody): Uint8Array[] {
  if (isInPieces(body)) return body.flatMap(cut);
  return typeof body === 'string' ? cut(Buffer.from(body)) : cut(body).map((piece) => Uint8Array.from(piece));
}

function cut(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.byteLength; start += pieceBytes)
    pieces.push(bytes.subarray(start, start + pieceBytes));
  return pieces;
}
