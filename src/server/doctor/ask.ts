/**
 * Requests as other machines would send them, and for the server's own address: certificates are judged by a check of their
 * own (addresses.ts), so that one problem is told once.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIPv4, type LookupFunction } from 'node:net';
import { systemClock } from '../../runtime/threads/clock.ts';

const bodyBytesMax = 1_048_576;

export interface Question {
  readonly url: URL;
  readonly method?: 'GET' | 'POST' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Asks this address, whatever the name leads to. */
  readonly address?: string;
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly status: number;
  header(name: string): string;
  readonly body: string;
  /** From the first bytes of the body to its end: a proxy may pass on the head alone at first. */
  readonly bodyMilliseconds: number;
}

/** Rejects with the error of the network. */
export function ask(question: Question): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = begin(question, (response) => void read(response).then(resolve, reject));
    sent.once('error', reject);
    sent.end(question.body);
  });
}

/**
 * The status with which a body of so many bytes is refused before it is sent; 100 where it may be sent, also by silence.
 * Nothing of it is sent.
 */
export function askToSend(question: Question, bytes: number): Promise<number> {
  const headers = { ...question.headers, 'content-length': String(bytes), expect: '100-continue' };
  return new Promise((resolve, reject) => {
    const sent = begin({ ...question, method: 'POST', headers }, ({ statusCode = 0 }) => {
      sent.destroy();
      resolve(statusCode);
    });
    sent.once('continue', () => {
      sent.destroy();
      resolve(100);
    });
    sent.once('error', reject);
    sent.flushHeaders();
  });
}

function begin(
  { url, method = 'GET', headers = {}, address, signal }: Question,
  answered: (response: IncomingMessage) => void,
) {
  const secure = url.protocol === 'https:';
  const options = {
    method,
    headers,
    signal,
    agent: false as const,
    ...(address !== undefined && { lookup: lookupOf(address) }),
  };
  return secure
    ? requestHttps(url, { ...options, rejectUnauthorized: false }, answered)
    : requestHttp(url, options, answered);
}

function lookupOf(address: string): LookupFunction {
  const family = isIPv4(address) ? 4 : 6;
  return (_name, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

async function read(response: IncomingMessage): Promise<Reply> {
  let begun: number | undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    begun ??= systemClock.monotonic();
    bytes += chunk.byteLength;
    if (bytes > bodyBytesMax) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return {
    status: response.statusCode ?? 0,
    header: (name) => String(response.headers[name] ?? ''),
    body: Buffer.concat(chunks).toString('utf8'),
    bodyMilliseconds: begun === undefined ? 0 : systemClock.monotonic() - begun,
  };
}
