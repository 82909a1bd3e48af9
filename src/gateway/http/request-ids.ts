/** Ids of requests, unique among all threads and runs: a random prefix and a counter. */
import { randomBytes } from 'node:crypto';
import { httpLimits } from './limits.ts';

const prefix = randomBytes(6).toString('hex');
const pattern = /^[A-Za-z0-9_-]+$/;
let counter = 0;

export function nextRequestId(): string {
  counter += 1;
  return `${prefix}-${counter.toString(36)}`;
}

/** Whether an id given by a trusted proxy is safe for logs and headers. */
export function isAcceptableRequestId(id: string): boolean {
  return id.length <= httpLimits.requestIdCharactersMax && pattern.test(id);
}
