/**
 * Answers of handlers, as values: nothing is written before the handler returns. All Mastodon clients expect JSON with
 * exactly this content type and a body, even an empty object.
 */
export const jsonContentType = 'application/json; charset=utf-8';
export const htmlContentType = 'text/html; charset=utf-8';

import type { FilePart } from './files/file-part.ts';

export type AnswerHeaders = Readonly<Record<string, string>>;

/** The writing end of a streamed answer. */
export interface AnswerSink {
  /** False when the socket's buffer is full: stop, and continue at `onDrain`. Nothing is dropped. */
  write(chunk: string | Uint8Array): boolean;
  end(): void;
  /** Closes the connection at once; what was not sent is dropped. */
  abort(): void;
  onDrain(callback: () => void): void;
}

/** Starts a streamed answer; the returned function is called once, when the answer has ended or the client has left. */
export type StreamOpener = (sink: AnswerSink) => () => void;

/**
 * An array where the body was assembled in several slices. Its pieces must never change, and it is sent once: their memory
 * may be used again afterwards (answer-blocks.ts).
 */
export type AnswerBody = string | Uint8Array | readonly Uint8Array[];

export function isInPieces(body: AnswerBody): body is readonly Uint8Array[] {
  return Array.isArray(body);
}

export function bytesOfBody(body: AnswerBody): number {
  if (!isInPieces(body)) return Buffer.byteLength(body);
  return body.reduce((sum, piece) => sum + piece.byteLength, 0);
}

export function wholeBody(body: AnswerBody): string | Uint8Array {
  return isInPieces(body) ? Buffer.concat(body) : body;
}

export class Answer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: AnswerBody;
  readonly headers: AnswerHeaders | undefined;
  readonly open: StreamOpener | undefined;
  /** In place of the body. Whoever sends the answer closes it. */
  readonly file: FilePart | undefined;
  /** The same bytes are sent again and again, and never change. */
  readonly isKept: boolean;

  constructor(
    status: number,
    contentType: string | undefined,
    body: AnswerBody,
    headers: AnswerHeaders | undefined,
    open: StreamOpener | undefined,
    file?: FilePart,
    isKept = false,
  ) {
    this.status = status;
    this.contentType = contentType;
    this.body = body;
    this.headers = headers;
    this.open = open;
    this.file = file;
    this.isKept = isKept;
  }

  /** Bytes of its body. */
  get length(): number {
    return this.file?.length ?? bytesOfBody(this.body);
  }
}

export interface JsonOptions {
  status?: number;
  headers?: AnswerHeaders;
}

export function json(value: unknown, options?: JsonOptions): Answer {
  return new Answer(options?.status ?? 200, jsonContentType, JSON.stringify(value), options?.headers, undefined);
}

export interface BytesOptions extends JsonOptions {
  contentType: string;
  /** The body is one buffer, which is sent again and again: it is compressed once. */
  isKept?: boolean;
}

/** A body that is encoded already. The bytes must not change before the answer is written. */
export function bytes(body: AnswerBody, options: BytesOptions): Answer {
  const { status = 200, contentType, headers, isKept = false } = options;
  return new Answer(status, contentType, body, headers, undefined, undefined, isKept);
}

/** A redirect; `location` must be percent-encoded where a header needs it. */
export function redirect(location: string, status: 301 | 302 | 303 | 307 | 308 = 302, headers?: AnswerHeaders): Answer {
  return new Answer(status, undefined, '', { ...headers, Location: location }, undefined);
}

export function withHeaders(answer: Answer, headers: AnswerHeaders): Answer {
  const { status, contentType, body, open, file, isKept } = answer;
  return new Answer(status, contentType, body, { ...answer.headers, ...headers }, open, file, isKept);
}

const emptyAnswer = new Answer(200, jsonContentType, '{}', undefined, undefined);

/** `{}`, the answer of actions without a result. */
export function empty(): Answer {
  return emptyAnswer;
}

export interface StreamOptions extends BytesOptions {
  open: StreamOpener;
}

/**
 * An answer whose body is written over time, such as server-sent events. Its head is sent with the first chunk, so
 * `open` should write one at once.
 */
export function stream(options: StreamOptions): Answer {
  return new Answer(options.status ?? 200, options.contentType, '', options.headers, options.open);
}
