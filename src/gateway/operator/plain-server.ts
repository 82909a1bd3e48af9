/**
 * A small HTTP server on a port of its own, beside that of the gateways: for programs of the operator, which ask seldom and
 * get short answers. It is that of Node, which also answers HTTP/1.0, and it runs on the main thread, so that it answers
 * while gateways are busy. Every answer ends its connection.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export interface PlainRequest {
  /** GET or HEAD, which is answered alike. */
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Path and query. */
  readonly target: string;
  readonly accept: string;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface PlainServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface PlainServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly connectionsMax?: number;
  /** Other methods than GET and HEAD are refused before. Must not reject. */
  answer(request: PlainRequest): Promise<PlainAnswer> | PlainAnswer;
}

const fewConnections = 64;
const requestMilliseconds = 10_000;
const headBytesMax = 8 * 1024;

/** Rejects with the error of the operating system. Must run on the main thread. */
export function servePlain(options: PlainServerOptions): Promise<PlainServer> {
  const { host, port, connectionsMax = fewConnections, answer } = options;
  const limits = {
    maxHeaderSize: headBytesMax,
    headersTimeout: requestMilliseconds,
    requestTimeout: requestMilliseconds,
    // Node looks for requests that are too slow only so often.
    connectionsCheckingInterval: requestMilliseconds / 2,
  };
  // Most servers have none, and an import would load all that the module can export.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer(limits, (request, response) => void respond(request, response, answer));
  server.maxConnections = connectionsMax;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      resolve({ port: typeof address === 'object' ? (address?.port ?? port) : port, close: () => close(server) });
    });
  });
}

async function respond(
  { method = '', url = '', headers }: IncomingMessage,
  response: ServerResponse,
  answer: PlainServerOptions['answer'],
): Promise<void> {
  response.shouldKeepAlive = false;
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD', 'Content-Length': 0 }).end();
    return;
  }
  const path = url.split('?', 1)[0] ?? '';
  const answered = await answer({ method, path, target: url, accept: headers.accept ?? '' });
  const body = answered.body ?? '';
  response.writeHead(answered.status, { 'Content-Length': Buffer.byteLength(body), ...answered.headers }).end(body);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
