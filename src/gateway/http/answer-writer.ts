/** Writes answers to sockets. Everything that can fail is checked before the first byte. */

import type { HttpResponse } from 'uWebSockets.js';
import { type Answer, type AnswerHeaders, wholeBody } from './answers.ts';

/**
 * Not imported: as an ES module node:http loads everything it could export, which takes 35 ms of CPU at each start
 * (measured).
 */
const { STATUS_CODES: statusWords } = process.getBuiltinModule('node:http');
const statusLines = new Map(
  Object.entries(statusWords).map(([status, words]) => [Number(status), `${status} ${words}`]),
);

const unwritable = /[^\t\x20-\x7e\x80-\uffff]/;

export function writeStatus(response: HttpResponse, status: number): void {
  if (status !== 200) response.writeStatus(statusLines.get(status)!);
}

/** Throws an Error for a status or header that would produce an invalid answer. */
export function assertWritable(answer: Answer): void {
  if (!statusLines.has(answer.status)) throw new Error(`There is no status ${answer.status}`);
  const { headers } = answer;
  if (headers === undefined) return;
  for (const name in headers) {
    if (unwritable.test(headers[name]!)) {
      throw new Error(`The header ${name} has a value that cannot be sent`);
    }
  }
}

/** `private` answers keep their own caching rule, whatever the handler set. */
export function writeHeaders(response: HttpResponse, headers: AnswerHeaders, isPrivate: boolean): void {
  for (const name in headers) {
    if (isPrivate && name === 'Cache-Control') continue;
    response.writeHeader(name, headers[name]!);
  }
}

/**
 * The body, or for HEAD only its length; answers without a body by definition send none. Where nothing behind the request may
 * be read, they state a length of 0, because only an answer with a length can close its connection.
 */
export function writeBody(response: HttpResponse, answer: Answer, isHead: boolean, closing: Closing): void {
  const hasNone = answer.status === 204 || answer.status === 304;
  if (closing === 'atOnce' && (hasNone || isHead)) {
    response.end('', true);
  } else if (hasNone) {
    response.endWithoutBody();
  } else if (isHead) {
    // The native reportedContentLength argument would leave the answer open, so the length is written as a header.
    response.writeHeader('Content-Length', String(answer.length));
    response.endWithoutBody();
  } else {
    response.end(wholeBody(answer.body), closing !== undefined);
  }
}

/** `atOnce`: whatever follows is no request. `soon`: the server is closing. Undefined where the connection goes on. */
export type Closing = 'atOnce' | 'soon' | undefined;
