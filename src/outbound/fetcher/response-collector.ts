/**
 * Collects one response in memory within a bound. It settles exactly once, with whatever comes first: the end, the
 * bound, an error, or the caller's deadline; later events are ignored and the connection is closed.
 */
import type { Dispatcher } from 'undici';
import { afterReuse } from './after-reuse.ts';
import { type NetworkFault, networkFaultOf } from './network-fault.ts';
import type { ResponseHeaders } from './response-headers.ts';

export interface CollectedResponse {
  readonly ok: true;
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
  /** The body was longer than the bound and is cut there. */
  readonly cut: boolean;
}

export interface CollectionFault {
  readonly ok: false;
  readonly fault: NetworkFault;
  /** For the log. */
  readonly detail: string;
}

export class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly result: Promise<CollectedResponse | CollectionFault>;
  private bytesMax: number;
  private readonly discardedBytesMax: number;
  private settle!: (result: CollectedResponse | CollectionFault) => void;
  private settled = false;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: ResponseHeaders = {};
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  /** Of a response other than 2xx only `discardedBytesMax` are read, to free the connection. */
  constructor(bytesMax: number, discardedBytesMax: number) {
    this.bytesMax = bytesMax;
    this.discardedBytesMax = discardedBytesMax;
    this.result = new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  /** The caller's deadline: settles as timed out, even while the request still waits for a connection. */
  expire(): void {
    this.fail('timedOut', 'the total time is over');
    this.abort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.settled) this.abort();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    // Informational responses precede the final one.
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    if (status >= 300) this.bytesMax = this.discardedBytesMax;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    const room = this.bytesMax - this.bytes;
    if (chunk.length > room) {
      this.chunks.push(chunk.subarray(0, room));
      this.finish(true);
      this.abort();
      return;
    }
    this.chunks.push(chunk);
    this.bytes += chunk.length;
  }

  onResponseEnd(): void {
    afterReuse(() => this.finish(false));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(networkFaultOf(error), error.message);
  }

  private finish(cut: boolean): void {
    if (this.settled) return;
    this.settled = true;
    this.settle({ ok: true, status: this.status, headers: this.headers, body: Buffer.concat(this.chunks), cut });
  }

  private fail(fault: NetworkFault, detail: string): void {
    if (this.settled) return;
    this.settled = true;
    this.settle({ ok: false, fault, detail });
  }

  private abort(): void {
    this.controller?.abort(new Error('no longer wanted'));
  }
}
