/** A listening server for tests, tokens of three people, and clients that show the bytes on the wire. */
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Grant } from '../../../src/gateway/http/grant.ts';
import { HttpServer, type HttpServerOptions } from '../../../src/gateway/http/server.ts';
import type { LogEntry } from '../../../src/gateway/http/server-state.ts';
import { Failure } from '../../../src/runtime/errors.ts';

export const publicOrigin = 'https://social.example';

export interface TestServices {
  readonly name: string;
}

export const aliceId = 109_000_000_000_000_001n;

function grantOf(tokenId: string, accountId: bigint | undefined, scopes: readonly string[]): Grant {
  return { tokenId, accountId, applicationId: 7n, scopes: new Set(scopes), dialect: 'mastodon' };
}

const grants = new Map<string, Grant>([
  ['alice', grantOf('alice', aliceId, ['read', 'write', 'follow', 'push'])],
  ['bob', grantOf('bob', 109_000_000_000_000_002n, ['read:statuses'])],
  ['application', grantOf('application', undefined, ['read', 'write'])],
]);

/** `slow-` before a token makes the lookup asynchronous; carol may not sign in. */
export function authenticate(token: string): Grant | undefined | Promise<Grant | undefined> {
  if (token === 'carol') throw new Failure('loginDisabled');
  if (token.startsWith('slow-')) return Promise.resolve().then(() => authenticate(token.slice('slow-'.length)));
  return grants.get(token);
}

export interface TestServer {
  readonly server: HttpServer<TestServices>;
  readonly port: number;
  readonly logged: LogEntry[];
  fetch(path: string, options?: RequestInit): Promise<Response>;
}

/** Starts a server that ends with the test. */
export function startServer(options: Partial<HttpServerOptions<TestServices>>): TestServer {
  const logged: LogEntry[] = [];
  const server = new HttpServer<TestServices>({
    publicOrigin,
    trustedProxyCount: 0,
    services: { name: 'murmuration' },
    endpoints: [],
    rawRoutes: [],
    authenticate,
    rateLimits: undefined,
    log: (entry) => logged.push(entry),
    ...options,
  });
  const port = server.listen('127.0.0.1', 0);
  onTestFinished(() => void server.close(0));
  return {
    server,
    port,
    logged,
    fetch: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init }),
  };
}

export function bearer(token: string): { headers: Record<string, string> } {
  return { headers: { Authorization: `Bearer ${token}` } };
}

/** Writes the chunks to a fresh connection and returns all that came back until the server closed it. */
export function exchangeBytes(port: number, ...chunks: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => {
      received += data.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    for (const chunk of chunks) socket.write(chunk);
  });
}

/** One request without a body, on a connection that ends with the answer. */
export function requestText(requestLine: string, ...headers: string[]): string {
  return `${requestLine} HTTP/1.1\r\nHost: social.example\r\nConnection: close\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;
}
