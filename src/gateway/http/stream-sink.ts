/**
 * The writing end of a streamed answer over a native response. Invariants: after its end the response is never touched,
 * and an error in a callback ends the stream and is reported, because native code cannot handle it.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { AnswerSink, StreamOpener } from './answers.ts';

export class StreamSink implements AnswerSink {
  private readonly response: HttpResponse;
  private readonly report: (error: unknown) => void;
  private drain: (() => void) | undefined;
  private cleanUp: (() => void) | undefined;
  private over = false;

  constructor(response: HttpResponse, report: (error: unknown) => void) {
    this.response = response;
    this.report = report;
    response.onWritable(() => {
      this.guard(this.drain);
      return true;
    });
  }

  start(open: StreamOpener): void {
    this.guard(() => {
      const cleanUp = open(this);
      if (this.over) cleanUp();
      else this.cleanUp = cleanUp;
    });
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.over) return false;
    let roomLeft = true;
    this.response.cork(() => {
      roomLeft = this.response.write(chunk);
    });
    return roomLeft;
  }

  end(): void {
    if (this.over) return;
    this.response.cork(() => {
      this.response.end();
    });
    this.gone();
  }

  abort(): void {
    if (this.over) return;
    this.response.close();
    this.gone();
  }

  onDrain(callback: () => void): void {
    this.drain = callback;
  }

  /** The answer has ended or the client has left. */
  gone(): void {
    if (this.over) return;
    this.over = true;
    this.guard(this.cleanUp);
  }

  private guard(callback: (() => void) | undefined): void {
    try {
      callback?.();
    } catch (error) {
      this.report(error);
      this.end();
    }
  }
}
