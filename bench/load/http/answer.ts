/** Collects one answer: its status, and as much of its body as a session may want to read. */
import type { Dispatcher } from 'undici';
import { loadLimits } from '../limits.ts';

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const kinds: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timed out: no connection',
  UND_ERR_HEADERS_TIMEOUT: 'timed out: no answer',
  UND_ERR_BODY_TIMEOUT: 'timed out: answer not whole',
  UND_ERR_SOCKET: 'connection closed',
  UND_ERR_DESTROYED: 'ended with the run',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed',
  EMFILE: 'too many open files here',
  EADDRNOTAVAIL: 'no free port here',
};

/** What an error of a connection is counted as. */
export function failureOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return kinds[code] ?? (code === '' ? error.message.slice(0, 60) : code);
}

export class AnswerHandler implements Dispatcher.DispatchHandler {
  private readonly settle: (outcome: Answer | { readonly failure: string }) => void;
  private status = 0;
  private bytes = 0;
  private readonly chunks: Buffer[] = [];

  constructor(settle: (outcome: Answer | { readonly failure: string }) => void) {
    this.settle = settle;
  }

  onRequestStart(): void {
    return;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes <= loadLimits.answerBytesMax) this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    const body = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    this.settle({ status: this.status, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle({ failure: failureOf(error) });
  }
}
