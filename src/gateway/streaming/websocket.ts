/**
 * Streaming over WebSocket: `GET /api/v1/streaming` with an upgrade, one channel by query or many by messages
 * (`{"type":"subscribe","stream":…}`). The token comes as a Bearer header, as Sec-WebSocket-Protocol (echoed, as
 * browsers require), or as `access_token`.
 */
import type { HttpRequest, HttpResponse, us_socket_context_t, WebSocket } from 'uWebSockets.js';
import { asFailure, Failure, overloadRefusal } from '../../runtime/errors.ts';
import { addressText, forwardedAddress } from '../http/address.ts';
import { statusOf, textOf } from '../http/failures.ts';
import type { Authenticate, Grant, UserGrant } from '../http/grant.ts';
import type { StreamingApp } from '../http/native-apps.ts';
import { channelInQuery } from './client-messages.ts';
import type { StreamHub } from './hub.ts';
import { streamLimits } from './limits.ts';
import { SocketConnection, type SocketData } from './socket-connection.ts';

/** SHARED_COMPRESSOR and SHARED_DECOMPRESSOR of the HTTP library, whose types declare no values. */
export const sharedCompression = 1 | 256;
const noCompression = 0;

export interface WebSocketStreams {
  readonly app: StreamingApp;
  readonly hub: StreamHub;
  readonly authenticate: Authenticate;
  /** Proxies in front, each of which reports its client. */
  readonly trustedProxyCount: number;
  /** True for clients of whom no request is served. */
  readonly isBarred?: (client: { readonly ip: string }) => boolean;
  /** True once another server may answer in place of this one: no stream is opened any more. */
  readonly isOver?: (() => boolean) | undefined;
  /** Whether clients that ask for permessage-deflate get it; all sockets share one compressor, so none needs memory. */
  readonly isCompressing: boolean;
  /** An HTTP connection has become a WebSocket. */
  upgraded(): void;
}

/** Registers the WebSocket routes on the gateway's app; call before `listen`. */
export function serveWebSocketStreams(options: WebSocketStreams): void {
  const connectionOf = (socket: WebSocket<SocketData>) => socket.getUserData().connection;
  const behaviour = {
    compression: options.isCompressing ? sharedCompression : noCompression,
    maxPayloadLength: streamLimits.messageBytesMax,
    maxBackpressure: streamLimits.backpressureBytesMax,
    idleTimeout: streamLimits.idleSeconds,
    sendPingsAutomatically: true,
    upgrade: (response: HttpResponse, request: HttpRequest, context: us_socket_context_t) =>
      upgrade(options, response, request, context),
    open: (socket: WebSocket<SocketData>) => connectionOf(socket).opened(socket),
    message: (socket: WebSocket<SocketData>, message: ArrayBuffer, isBinary: boolean) =>
      connectionOf(socket).received(message, isBinary),
    dropped: (socket: WebSocket<SocketData>) => connectionOf(socket).lost(),
    drain: (socket: WebSocket<SocketData>) => connectionOf(socket).drained(),
    close: (socket: WebSocket<SocketData>) => connectionOf(socket).closed(),
  };
  options.app.ws<SocketData>('/api/v1/streaming', behaviour).ws<SocketData>('/api/v1/streaming/', behaviour);
}

function upgrade(
  { authenticate, hub, trustedProxyCount, isBarred, isOver, upgraded }: WebSocketStreams,
  response: HttpResponse,
  request: HttpRequest,
  context: us_socket_context_t,
): void {
  const protocol = request.getHeader('sec-websocket-protocol');
  const query = new URLSearchParams(request.getQuery());
  const bearer = /^bearer (.+)$/i.exec(request.getHeader('authorization'))?.[1];
  const token = bearer ?? (protocol === '' ? (query.get('access_token') ?? '') : protocol);
  const key = request.getHeader('sec-websocket-key');
  const extensions = request.getHeader('sec-websocket-extensions');
  const ip = addressOf(response, request, trustedProxyCount);
  let state: 'asked' | 'aborted' | 'upgraded' = 'asked';
  response.onAborted(() => {
    state = 'aborted';
  });
  const finish = (grant: Grant | undefined) => {
    if (state === 'aborted') return;
    if (grant === undefined || token === '') throw new Failure('tokenInvalid');
    if (!isOfUser(grant)) throw new Failure('userRequired');
    const connection = new SocketConnection(hub, grant, hub.admit(grant.accountId, ip));
    response.cork(() => response.upgrade<SocketData>({ connection }, key, protocol, extensions, context));
    state = 'upgraded';
    upgraded();
    const first = channelInQuery(query);
    if (first !== undefined) connection.subscribe(first);
  };
  const fail = (error: unknown) => {
    if (state === 'upgraded') throw error;
    if (state === 'asked') refuse(response, asFailure(error));
  };
  try {
    if (isOver?.() === true) throw overloadRefusal;
    if (isBarred?.({ ip }) === true) throw new Failure('forbidden');
    const grant = token === '' ? undefined : authenticate(token, { ip });
    if (grant instanceof Promise) grant.then(finish).catch(fail);
    else finish(grant);
  } catch (error) {
    fail(error);
  }
}

function isOfUser(grant: Grant): grant is UserGrant {
  return grant.accountId !== undefined;
}

/** The client's address, as reported by the trusted proxies where there are any. */
function addressOf(response: HttpResponse, request: HttpRequest, proxies: number): string {
  const lines: string[] = [];
  if (proxies > 0)
    request.forEach((name, value) => {
      if (name === 'x-forwarded-for') lines.push(value);
    });
  const reported = lines.length === 0 ? undefined : forwardedAddress(lines.join(', '), proxies);
  return reported ?? addressText(response.getRemoteAddress());
}

function refuse(response: HttpResponse, failure: Failure): void {
  response.cork(() => {
    response
      .writeStatus(`${statusOf(failure)} Refused`)
      .writeHeader('Content-Type', 'application/json; charset=utf-8')
      .end(JSON.stringify({ error: textOf(failure) }));
  });
}
