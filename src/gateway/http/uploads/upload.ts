/**
 * Receives one multipart form with files. What arrives is parsed as it comes in and its files are written, so that memory
 * depends neither on their size nor on their number. The connection is paused while its bytes are written.
 *
 * INVARIANTS
 * 1. Nothing is parsed or written before `admit`: what comes earlier waits in memory, and is bounded with all else.
 * 2. The native response is not touched once the exchange was answered or the client has left.
 * 3. Whatever ends the upload, its files are removed by `remove` or were moved elsewhere.
 */
import { asFailure, Failure } from '../../../runtime/errors.ts';
import { expectBody } from '../body-collector.ts';
import type { Exchange } from '../exchange.ts';
import { httpLimits } from '../limits.ts';
import { FormParts, type PartContent } from '../parameters/form-parts.ts';
import { MultipartParser, type PartHead } from '../parameters/multipart.ts';
import { type ParameterTree, UploadedFile } from '../parameters/tree.ts';
import type { TemporaryFile } from './temporary-file.ts';
import type { Reader, Uploads } from './uploads.ts';

export interface FileLimit {
  /** Of each. */
  readonly bytesMax: number;
  /** One by default. */
  readonly countMax?: number;
}

/** The files that a form may contain, by the names of their parameters: `a`, or `group[][a]` in each of several groups. */
export type FileLimits = Readonly<Record<string, FileLimit>>;

export type UploadOutcome = ParameterTree | Failure | undefined;

/** Throws a Failure for a form whose files must not be stored, by what stands before its first file. */
export type FormCheck = (parameters: ParameterTree) => void;

/** Throws a Failure where a form has more than so many bytes, which have arrived or were announced. */
export type SizeCheck = (bytes: number) => void;

/** What an upload must pass besides the limits of its form. */
export interface UploadChecks {
  readonly form?: FormCheck;
  readonly size?: SizeCheck | undefined;
}

export class Upload implements Reader {
  /**
   * The parameters, once everything is written; a Failure (badRequest, bodyTooLarge, overloaded, storageUnavailable) as
   * soon as it is clear that there will be none; undefined when the client has left. Never rejects.
   */
  readonly outcome: Promise<UploadOutcome>;
  private readonly exchange: Exchange<unknown>;
  private readonly uploads: Uploads;
  private readonly limits: FileLimits;
  private readonly parts: FormParts;
  private readonly files: TemporaryFile[] = [];
  private readonly taken = new Map<string, number>();
  private checks: UploadChecks = {};
  /** Undefined before `admit`. */
  private parser: MultipartParser | undefined;
  private held: Buffer[] = [];
  /** Of the body, NaN where nothing was said. */
  private readonly announced: number;
  private bytes = 0;
  private isPaused = false;
  private isComplete = false;
  private settled = false;
  private resolve!: (outcome: UploadOutcome) => void;

  /** The exchange must be detached. Throws Failure overloaded when there are too many uploads. */
  constructor(exchange: Exchange<unknown>, limits: FileLimits) {
    this.exchange = exchange;
    this.limits = limits;
    this.uploads = exchange.state.uploads;
    this.parts = new FormParts({
      textBytesMax: httpLimits.parametersBytesMax,
      takeFile: (head, filename) => this.takeFile(head, filename),
    });
    this.outcome = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.announced = expectBody(exchange);
    this.uploads.enter();
    exchange.state.beginReceiving();
    exchange.onFinish(() => this.settle(undefined));
    exchange.response.onData((chunk, isLast) => this.receive(Buffer.from(chunk), isLast));
    if (this.announced > bodyBytesMax(limits)) this.fail(new Failure('bodyTooLarge'));
    else this.pause();
  }

  /**
   * The caller may upload: now its bytes are parsed and, once the form passes the checks, written. Throws Failure badRequest
   * where there is no boundary, and what the check of its size does.
   */
  admit(checks: UploadChecks = {}): void {
    if (this.settled) return;
    this.checks = checks;
    checks.size?.(this.announced);
    this.parser = new MultipartParser(this.exchange.request.header('content-type') ?? '', this.parts);
    for (const chunk of this.takeHeld()) this.parse(chunk);
    this.proceed();
  }

  /** Call before the exchange is answered with a refusal: what still comes is dropped. */
  refuse(): void {
    this.settle(undefined);
  }

  /** Removes the files that were not moved elsewhere. */
  remove(): void {
    for (const file of this.files) file.remove();
  }

  resume(): void {
    if (!this.isPaused || this.settled) return;
    this.isPaused = false;
    this.exchange.response.resume();
  }

  /** Resuming begins the time anew after which the HTTP library takes the client for gone; nothing is read meanwhile. */
  stay(): void {
    if (!this.isPaused || this.settled) return;
    this.exchange.response.resume();
    this.exchange.response.pause();
  }

  private pause(): void {
    if (this.isPaused || this.settled || this.isComplete) return;
    this.isPaused = true;
    this.exchange.response.pause();
  }

  private receive(chunk: Buffer, isLast: boolean): void {
    if (this.settled) return;
    this.bytes += chunk.length;
    this.uploads.received(chunk.length);
    this.isComplete = isLast;
    if (this.bytes > bodyBytesMax(this.limits)) this.fail(new Failure('bodyTooLarge'));
    else if (this.parser === undefined) this.hold(chunk);
    else this.parse(chunk);
    if (!this.settled && this.parser !== undefined) this.proceed();
  }

  /** A copy: the memory of a chunk is invalid after the native callback. */
  private hold(chunk: Buffer): void {
    const { state } = this.exchange;
    if (state.bodyBytesInFlight + chunk.length > state.bodyBytesInFlightMax) {
      this.fail(new Failure('overloaded'));
    } else {
      state.bodyBytesInFlight += chunk.length;
      this.held.push(Buffer.from(chunk));
    }
  }

  private takeHeld(): readonly Buffer[] {
    const { held } = this;
    this.held = [];
    for (const chunk of held) this.exchange.state.bodyBytesInFlight -= chunk.length;
    return held;
  }

  private parse(chunk: Buffer): void {
    if (this.settled) return;
    try {
      this.checks.size?.(this.bytes);
      this.parser!.push(chunk);
    } catch (error) {
      this.fail(error);
    }
  }

  /** After something was parsed or written: ends, waits for what is being written, or goes on reading. */
  private proceed(): void {
    if (this.settled || this.parser === undefined) return;
    const isWriting = this.files.some((file) => file.isWriting);
    if (isWriting) {
      this.pause();
    } else if (this.isComplete) {
      this.complete(this.parser);
    } else if (this.isPaused) {
      this.uploads.awaitTurn(this);
    }
  }

  private complete(parser: MultipartParser): void {
    try {
      parser.end();
      this.exchange.closeConnection = false;
      this.settle(this.parts.finish());
    } catch (error) {
      this.fail(error);
    }
  }

  /** More files of one name than it may have are refused. Files that the form does not declare are ignored. */
  private takeFile({ name, contentType }: PartHead, filename: string): PartContent | undefined {
    const declared = name.replace(/\[\d+\]/g, '[]');
    const limit = Object.hasOwn(this.limits, declared) ? this.limits[declared] : undefined;
    if (limit === undefined) return undefined;
    let file: TemporaryFile | undefined;
    return {
      content: (bytes) => {
        file ??= this.openFile(declared, limit);
        if (file.byteLength + bytes.byteLength > limit.bytesMax) throw tooLarge(name, limit.bytesMax);
        append(file, bytes);
      },
      end: () => {
        // A file field without a chosen file arrives as an empty file without a name, and counts as not given.
        if (filename === '' && file === undefined) return undefined;
        file ??= this.openFile(declared, limit);
        file.flush();
        return new UploadedFile(filename, contentType ?? 'application/octet-stream', file.path, file.byteLength);
      },
    };
  }

  private openFile(name: string, { countMax = 1 }: FileLimit): TemporaryFile {
    const count = (this.taken.get(name) ?? 0) + 1;
    if (count > countMax) throw new Failure('badRequest', { text: givenTooOften(name, countMax) });
    this.taken.set(name, count);
    this.checks.form?.(this.parts.finish());
    const file = this.uploads.createFile((error) => this.written(error));
    this.files.push(file);
    return file;
  }

  private written(error: Error | undefined): void {
    if (error === undefined) this.proceed();
    else this.fail(new Failure('storageUnavailable', { cause: error }));
  }

  private fail(error: unknown): void {
    this.settle(asFailure(error));
  }

  private settle(outcome: UploadOutcome): void {
    if (this.settled) return;
    this.uploads.giveUpTurn(this);
    // Whatever is still to come of the request has to be read before the answer of the next one.
    if (!this.exchange.request.hasLeft) this.resume();
    this.settled = true;
    this.takeHeld();
    for (const file of this.files) file.close();
    this.uploads.leave();
    this.exchange.state.endReceiving();
    this.resolve(outcome);
  }
}

/** Throws Failure overloaded or storageUnavailable. */
function append(file: TemporaryFile, bytes: Uint8Array): void {
  try {
    file.append(bytes);
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('storageUnavailable', { cause });
  }
}

function givenTooOften(name: string, countMax: number): string {
  return countMax === 1 ? `The file ${name} is given twice` : `The file ${name} is given more than ${countMax} times`;
}

function tooLarge(name: string, bytesMax: number): Failure {
  return new Failure('bodyTooLarge', { text: `The file ${name} has more than ${bytesMax} bytes` });
}

/** Of a form with the largest files. */
export function bodyBytesMax(limits: FileLimits): number {
  const files = Object.values(limits).reduce((sum, { bytesMax, countMax = 1 }) => sum + bytesMax * countMax, 0);
  return files + httpLimits.parametersBytesMax;
}
