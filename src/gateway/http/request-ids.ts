/** Names of requests, unique among all threads and runs: a random beginning and a counter. */
import { randomBytes } from 'node:crypto';
import { httpLimits } from './limits.ts';

const prefix = randomBytes(6).toString('hex');
const pattern = /^[A-Za-z0-9_-]+$/;
let counter = 0;

export function nextRequestId(): string {
  counter += 1;
  return `${prefix}-${counter.toString(36)}`;
}

/** An id that a trusted proxy gave to the request, if it is fit for logs and headers. */
export function isAcceptableRequestId(id: string): boolean {
  return id.length <= httpLimits.requestIdCharactersMax && pattern.test(id);
}
