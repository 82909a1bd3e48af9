/** Answers with a file, its conditions and ranges (RFC 9110, sections 13 and 14). */

import type { ByteSource } from '../../../services/blobs/byte-source.ts';
import { Answer, type AnswerHeaders } from '../answers.ts';
import { namesEtag } from '../etags.ts';
import type { IncomingRequest } from '../request.ts';
import { byteRange } from './byte-range.ts';
import { contentDisposition, type DispositionKind } from './content-disposition.ts';

export interface FileAnswerOptions {
  readonly contentType: string;
  /** Strong, with its quotation marks: another file has another one. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number | undefined;
  /** Whether a browser shows or saves it, and under which name. */
  readonly disposition?: { readonly kind: DispositionKind; readonly filename: string | undefined };
  readonly headers?: AnswerHeaders;
}

/** The source belongs to the answer: it is closed when the answer was sent, refused or abandoned. */
export function fileAnswer(request: IncomingRequest, source: ByteSource, options: FileAnswerOptions): Answer {
  const headers = headersOf(options);
  const status = statusOfConditions(request, options);
  if (status !== undefined) return without(source, new Answer(status, undefined, '', headers, undefined));
  const { byteLength } = source;
  const { contentType } = options;
  const range = request.method === 'GET' && isRangeWanted(request, options) ? rangeOf(request, byteLength) : undefined;
  if (range === 'unsatisfiable') {
    const whole = { ...headers, 'Content-Range': `bytes */${byteLength}` };
    return without(source, new Answer(416, undefined, '', whole, undefined));
  }
  if (byteLength === 0) return without(source, new Answer(200, contentType, '', headers, undefined));
  if (range === undefined)
    return new Answer(200, contentType, '', headers, undefined, { source, start: 0, length: byteLength });
  const contentRange = `bytes ${range.start}-${range.start + range.length - 1}/${byteLength}`;
  const partial = { ...headers, 'Content-Range': contentRange };
  return new Answer(206, contentType, '', partial, undefined, { source, ...range });
}

function without(source: ByteSource, answer: Answer): Answer {
  source.close();
  return answer;
}

function headersOf({ etag, modifiedAt, disposition, headers }: FileAnswerOptions): AnswerHeaders {
  return {
    ...headers,
    ...(disposition && { 'Content-Disposition': contentDisposition(disposition.kind, disposition.filename) }),
    ETag: etag,
    ...(modifiedAt === undefined ? {} : { 'Last-Modified': new Date(modifiedAt).toUTCString() }),
    'Accept-Ranges': 'bytes',
  };
}

/** In the order of section 13.2.2. A time that cannot be read is no condition. */
function statusOfConditions(request: IncomingRequest, { etag, modifiedAt }: FileAnswerOptions): 304 | 412 | undefined {
  const match = request.joinedHeader('if-match');
  if (match !== undefined) {
    if (!namesExactly(match, etag)) return 412;
  } else if (secondsOf(modifiedAt) > secondsOfHeader(request, 'if-unmodified-since')) {
    return 412;
  }
  const noneMatch = request.joinedHeader('if-none-match');
  if (noneMatch !== undefined) return namesEtag(noneMatch, etag) ? 304 : undefined;
  return secondsOf(modifiedAt) <= secondsOfHeader(request, 'if-modified-since') ? 304 : undefined;
}

/** `If-Range`: a range only of the file of which the client has the rest. */
function isRangeWanted(request: IncomingRequest, { etag, modifiedAt }: FileAnswerOptions): boolean {
  const condition = request.header('if-range');
  if (condition === undefined || condition === etag) return true;
  return !condition.includes('"') && secondsOf(modifiedAt) === secondsOfHeader(request, 'if-range');
}

function rangeOf(request: IncomingRequest, byteLength: number) {
  return byteRange(request.joinedHeader('range'), byteLength);
}

/** Weak tags never match here (section 13.1.1). */
function namesExactly(header: string, etag: string): boolean {
  return header.trim() === '*' || header.split(',').some((entry) => entry.trim() === etag);
}

/** Comparisons with NaN are false. */
function secondsOf(milliseconds: number | undefined): number {
  return milliseconds === undefined ? Number.NaN : Math.floor(milliseconds / 1_000);
}

function secondsOfHeader(request: IncomingRequest, name: string): number {
  return secondsOf(Date.parse(request.header(name) ?? ''));
}
