/**
 * Collects one response in memory within a bound. It settles exactly once, with whatever comes first: the end, the
 * bound, an error, or the caller's deadline; later events are ignored and the connection is closed.
 */
import type { Dispatcher } from 'undici';
import { afterReuse } from './after-reuse.ts';
import { BodyFile } from './body-file.ts';
import { type NetworkFault, networkFaultOf } from './network-fault.ts';
import { headerValue, type ResponseHeaders } from './response-headers.ts';

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
  /** The head of the final response had come. */
  readonly hasBegun: boolean;
  /** For the log. */
  readonly detail: string;
}

export interface CollectedFile {
  /** Of a file that does not exist yet. */
  readonly path: string;
  /**
   * Called whenever more of a whole body (status 200) can be read in the file, with the length that the server has announced.
   * Not called where it has announced none.
   */
  readonly arrived?: ((piece: Buffer, bytes: number, length: number) => void) | undefined;
}

export class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly result: Promise<CollectedResponse | CollectionFault>;
  private bytesMax: number;
  private readonly discardedBytesMax: number;
  private readonly destination: CollectedFile | undefined;
  private file: BodyFile | undefined;
  private settle!: (result: CollectedResponse | CollectionFault) => void;
  private settled = false;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: ResponseHeaders = {};
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  /**
   * Of a response other than 2xx only `discardedBytesMax` are read, to free the connection. With a destination, the body of
   * a 2xx response is written to a new file, unless it is announced as too long; a file that cannot be written is the fault
   * `busy`.
   */
  constructor(bytesMax: number, discardedBytesMax: number, destination?: CollectedFile) {
    this.bytesMax = bytesMax;
    this.discardedBytesMax = discardedBytesMax;
    this.destination = destination;
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
    else if (this.destination !== undefined && !this.settled) this.openFile(this.destination);
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

  private openFile({ path, arrived }: CollectedFile): void {
    const length = announcedLength(this.headers);
    if (length !== undefined && length > this.bytesMax) {
      this.finish(true);
      this.abort();
      return;
    }
    const isShown = arrived !== undefined && length !== undefined && this.status === 200;
    this.file = new BodyFile(
      path,
      (error) => this.unwritten(error),
      isShown ? (piece, bytes) => arrived(piece, bytes, length) : undefined,
    );
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
    this.settle({ ok: false, fault, hasBegun: this.status !== 0, detail });
  }

  private abort(): void {
    this.controller?.abort(new Error('no longer wanted'));
  }
}

/** Undefined where none is announced, or that of compressed bytes. */
function announcedLength(headers: ResponseHeaders): number | undefined {
  const length = headerValue(headers, 'content-length') ?? '';
  const encoding = headerValue(headers, 'content-encoding') ?? '';
  return /^\d{1,15}$/.test(length) && isPlain(encoding) ? Number(length) : undefined;
}

/** Whether a `Content-Encoding` changes nothing. */
export function isPlain(encoding: string): boolean {
  return /^(?:identity)?$/i.test(encoding);
}
