/**
 * Collects one response in memory within a bound. It settles exactly once, with whatever comes first: the end, the
 * bound, an error, or the caller's deadline; later events are ignored and the connection is closed.
 */
import type { Dispatcher } from 'undici';
import { afterReuse } from './after-reuse.ts';
import { BodyFile } from './body-file.ts';
import { type NetworkFault, networkFaultOf } from './network-fault.ts';
import type { ResponseHeaders } from './response-headers.ts';

export interface CollectedResponse {
  readonly ok: true;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Empty where it was written to a file. */
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
  private readonly path: string | undefined;
  private file: BodyFile | undefined;
  private settle!: (result: CollectedResponse | CollectionFault) => void;
  private settled = false;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: ResponseHeaders = {};
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  /**
   * Of a response other than 2xx only `discardedBytesMax` are read, to free the connection. With a path, the body of a 2xx
   * response is written to a new file; a file that cannot be written is the fault `busy`.
   */
  constructor(bytesMax: number, discardedBytesMax: number, path?: string) {
    this.bytesMax = bytesMax;
    this.discardedBytesMax = discardedBytesMax;
    this.path = path;
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
    else if (this.path !== undefined && !this.settled)
      this.file = new BodyFile(this.path, (error) => this.unwritten(error));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    const room = this.bytesMax - this.bytes;
    if (chunk.length > room) {
      if (this.file === undefined) this.chunks.push(chunk.subarray(0, room));
      this.finish(true);
      this.abort();
      return;
    }
    this.bytes += chunk.length;
    if (this.file === undefined) this.chunks.push(chunk);
    else if (!this.file.write(chunk, () => controller.resume())) controller.pause();
  }

  onResponseEnd(): void {
    const finish = () => afterReuse(() => this.finish(false));
    if (this.file === undefined || this.settled) finish();
    else this.file.end(finish);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(networkFaultOf(error), error.message);
  }

  private unwritten(error: Error): void {
    this.fail('busy', `the body cannot be written: ${error.message}`);
    this.abort();
  }

  private finish(cut: boolean): void {
    if (this.settled) return;
    this.settled = true;
    if (cut) this.file?.abandon();
    this.settle({ ok: true, status: this.status, headers: this.headers, body: Buffer.concat(this.chunks), cut });
  }

  private fail(fault: NetworkFault, detail: string): void {
    if (this.settled) return;
    this.settled = true;
    this.file?.abandon();
    this.settle({ ok: false, fault, detail });
  }

  private abort(): void {
    this.controller?.abort(new Error('no longer wanted'));
  }
}
