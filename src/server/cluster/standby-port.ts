/**
 * The port of the server while another node serves. `/health` says how this one stands; everything else is refused with 503,
 * which proxies may try on the next node, or is passed on to the node that serves, as bytes: clients then see that one, with
 * its WebSockets, streams and uploads. Where the server speaks TLS itself, so does this port, with the same certificate.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { CertificateWatch } from '../listening/certificate-watch.ts';
import type { Standby } from './standby.ts';

export interface StandbyPort {
  /** Also ends what is being passed on. */
  close(): Promise<void>;
}

export interface StandbyPortOptions {
  readonly host: string;
  readonly port: number;
  readonly standby: Standby;
  /** Whether connections are passed on to the node that serves. */
  readonly passesOn: boolean;
  /** Where the server speaks TLS itself. */
  readonly certificate?: CertificateWatch['follow'] | undefined;
}

const connectionsMax = 4_096;
const requestMilliseconds = 10_000;
/** A take-over takes some seconds. */
const retrySeconds = 2;

/** Rejects with the error of the operating system. Must run on the main thread. */
export async function serveStandby(options: StandbyPortOptions): Promise<StandbyPort> {
  const { host, port, standby, passesOn } = options;
  // Never listens itself: it gets the connections that are not passed on.
  const { http, unfollow } = refusing(options);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Of a client that is gone.
    socket.on('error', () => socket.destroy());
    const to = passesOn ? placeOf(standby) : undefined;
    if (to === undefined) http.emit('connection', socket);
    else passOn(socket, to);
  });
  server.maxConnections = connectionsMax;
  await listening(server, host, port);
  return {
    close: () =>
      new Promise((resolve) => {
        unfollow?.();
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** What refuses requests, with TLS where clients expect it, and what ends its use of the certificate. */
function refusing({ standby, certificate }: StandbyPortOptions) {
  const limits = { headersTimeout: requestMilliseconds, requestTimeout: requestMilliseconds };
  const answering = (request: IncomingMessage, response: ServerResponse) => refuse(request, response, standby);
  // Few servers stand by, and an import would load all that a module can export.
  const { createServer: createHttpServer } = process.getBuiltinModule('node:http');
  const { createServer: createHttpsServer } = process.getBuiltinModule('node:https');
  if (certificate === undefined) return { http: createHttpServer(limits, answering) };
  const http = createHttpsServer({ ...limits, handshakeTimeout: requestMilliseconds }, answering);
  const unfollow = certificate(({ certificate: cert, key }) => http.setSecureContext({ cert, key }));
  return { http, unfollow };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, resolve);
  });
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Undefined where the node that serves does not say where it is reached. */
function placeOf({ serving }: Standby): Place | undefined {
  const url = serving?.node === undefined ? null : URL.parse(serving.node);
  if (url === null) return undefined;
  const usual = url.protocol === 'https:' ? 443 : 80;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || usual };
}

function passOn(socket: Socket, to: Place): void {
  const onward = connect({ ...to, allowHalfOpen: true });
  onward.on('error', () => socket.destroy());
  socket.on('close', () => onward.destroy());
  onward.on('close', () => socket.destroy());
  socket.pipe(onward);
  onward.pipe(socket);
}

function refuse({ url = '', headers }: IncomingMessage, response: ServerResponse, standby: Standby): void {
  const isHealth = url.split('?', 1)[0] === '/health';
  const asksForJson = headers.accept?.includes('application/json') === true;
  response.shouldKeepAlive = false;
  if (isHealth && !asksForJson) {
    answer(response, 200, 'text/plain; charset=utf-8', standbyWord);
    return;
  }
  const content = isHealth ? standbyHealth(standby) : { error: standby.sentence };
  if (!isHealth) response.setHeader('Retry-After', retrySeconds);
  answer(response, isHealth ? 200 : 503, 'application/json; charset=utf-8', JSON.stringify(content));
}

const standbyWord = 'STANDBY';

/** What `/health` tells of a node that stands by. */
export function standbyHealth({ serving, lags }: Standby) {
  return { status: standbyWord, serving: serving?.node ?? serving?.address ?? null, partitions: lags };
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  const headers = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), 'Cache-Control': 'no-store' };
  response.writeHead(status, headers).end(body);
}
