/** What the exchanges of one server share: its limits, its log, and how much work is in progress. */
import type { Trace } from '../../runtime/tracing/trace.ts';
import { TimeSlices } from '../../services/time-slices.ts';
import { AnswerBlocks } from './answer-blocks.ts';
import { Compression } from './compression.ts';
import { FileAnswers } from './files/file-answers.ts';
import { LargeAnswers } from './large-answers.ts';
import type { RateLimits } from './rate-limits.ts';
import { Uploads } from './uploads/uploads.ts';

export interface LogEntry {
  readonly level: 'error' | 'warn';
  readonly message: string;
  readonly requestId: string;
  readonly method: string;
  /** Without the query, which may contain a token. */
  readonly path: string;
  readonly cause: unknown;
}

export type Log = (entry: LogEntry) => void;

export interface ServerStateOptions {
  /** Undefined switches all rate limits off. */
  readonly rateLimits: RateLimits | undefined;
  readonly log: Log;
  /**
   * Called at the start of a request, and again before its handler after a wait: renews the snapshots for its reads.
   */
  readonly beginReads?: () => void;
  /** Where requests are traced. */
  readonly trace?: Trace | undefined;
  /** Bytes of bodies being received at a time, so that many slow uploads cannot exhaust the memory. */
  readonly bodyBytesInFlightMax?: number;
  /** Bytes of large answers that wait for their clients at a time, so that many slow readers cannot exhaust it either. */
  readonly answerBytesWaitingMax?: number;
  /** The scheduler in which large answers take turns with other long work of the thread. */
  readonly slices?: TimeSlices;
  /** Memory for their pieces, shared with what assembles them. */
  readonly answerBlocks?: AnswerBlocks;
  /** Whether bodies are compressed for clients that accept it. */
  readonly compresses?: boolean;
  /** For the temporary files of uploads, of this server alone; what it contains is removed. */
  readonly uploadFolder?: string;
}

const nothingToRenew = () => undefined;

export class ServerState {
  readonly rateLimits: RateLimits | undefined;
  readonly log: Log;
  readonly beginReads: () => void;
  /** Where requests are traced. */
  readonly trace: Trace | undefined;
  readonly bodyBytesInFlightMax: number;
  /** Where bodies are compressed for clients that accept it. */
  readonly compression: Compression | undefined;
  readonly largeAnswers: LargeAnswers;
  readonly fileAnswers = new FileAnswers();
  readonly uploads: Uploads;
  /** Bytes received so far of incomplete bodies. */
  bodyBytesInFlight = 0;
  /** Set once the server is closing: connections end with their next answer. */
  closing = false;
  private inFlight = 0;
  private receiving = 0;
  private idleCallback: (() => void) | undefined;

  constructor(options: ServerStateOptions) {
    this.rateLimits = options.rateLimits;
    this.log = options.log;
    this.beginReads = options.beginReads ?? nothingToRenew;
    this.trace = options.trace;
    this.bodyBytesInFlightMax = options.bodyBytesInFlightMax ?? Number.POSITIVE_INFINITY;
    this.compression = options.compresses === true ? new Compression() : undefined;
    const blocks = options.answerBlocks ?? new AnswerBlocks();
    this.uploads = new Uploads({ folder: options.uploadFolder, blocks });
    this.largeAnswers = new LargeAnswers({
      slices: options.slices ?? new TimeSlices(),
      blocks,
      bytesMax: options.answerBytesWaitingMax ?? Number.POSITIVE_INFINITY,
    });
  }

  /** Requests that will be answered later. */
  get requestsInFlight(): number {
    return this.inFlight;
  }

  /** A request will be answered later. */
  enter(): void {
    this.inFlight += 1;
  }

  /** Such a request was answered, or its client left. */
  leave(): void {
    this.inFlight -= 1;
    if (this.inFlight === this.receiving) this.idleCallback?.();
  }

  /** The body of such a request is being received: until it is complete, no work is done for it. */
  beginReceiving(): void {
    this.receiving += 1;
  }

  /** The body is complete, or will never be. */
  endReceiving(): void {
    this.receiving -= 1;
  }

  /** Resolves when no request is being handled, at the latest after the deadline: with how many are by then. */
  idle(deadlineMilliseconds: number): Promise<number> {
    const handled = () => this.inFlight - this.receiving;
    if (handled() === 0) return Promise.resolve(0);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(handled()), deadlineMilliseconds);
      this.idleCallback = () => {
        clearTimeout(timer);
        resolve(0);
      };
    });
  }
}
