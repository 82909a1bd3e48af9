/**
 * Streaming over WebSocket: `GET /api/v1/streaming` with an upgrade, one channel by query or many by messages
 * (`{"type":"subscribe","stream":…}`). The token comes as a Bearer header, as Sec-WebSocket-Protocol (echoed, which
 * browsers insist on), or as `access_token`.
 */
import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js';
import { z } from 'zod';
import { asFailure, Failure } from '../../runtime/errors.ts';
import type { Authenticate, Grant, UserGrant } from '../http/grant.ts';
import { hasAnyScope, sufficientScopes } from '../http/scopes.ts';
import { type Channel, channelOf } from './channels.ts';
import type { StreamFrame } from './frame.ts';
import type { StreamHub } from './hub.ts';
import { streamLimits } from './limits.ts';
import { parsePositions } from './position.ts';
import type { Connection, Subscriber } from './subscriber.ts';

interface Asked {
  readonly stream: string;
  readonly tag: string | undefined;
  readonly since: string | undefined;
}

interface SocketData {
  readonly grant: UserGrant;
  readonly first: Asked | undefined;
  connection: SocketConnection | undefined;
}

const ClientMessage = z.object({
  type: z.enum(['subscribe', 'unsubscribe']),
  stream: z.string(),
  tag: z.string().optional(),
  since: z.string().optional(),
});

const shutdownClose = 1001;
const revokedClose = 1008;

export interface WebSocketStreams {
  readonly app: TemplatedApp;
  readonly hub: StreamHub;
  readonly authenticate: Authenticate;
}

/** Registers the WebSocket face on the gateway's app; before `listen`. */
export function serveWebSocketStreams(options: WebSocketStreams): void {
  const behaviour = {
    maxPayloadLength: streamLimits.messageBytesMax,
    maxBackpressure: streamLimits.backpressureBytesMax,
    idleTimeout: streamLimits.idleSeconds,
    sendPingsAutomatically: true,
    upgrade: (response: HttpResponse, request: HttpRequest, context: us_socket_context_t) =>
      upgrade(options, response, request, context),
    open: (socket: WebSocket<SocketData>) => {
      const data = socket.getUserData();
      data.connection = new SocketConnection(options, socket, data.grant);
      options.hub.connected(data.connection);
      if (data.first !== undefined) data.connection.subscribe(data.first);
    },
    message: (socket: WebSocket<SocketData>, message: ArrayBuffer) =>
      socket.getUserData().connection?.received(message),
    dropped: (socket: WebSocket<SocketData>) => socket.getUserData().connection?.lost(),
    drain: (socket: WebSocket<SocketData>) => socket.getUserData().connection?.drained(),
    close: (socket: WebSocket<SocketData>) => socket.getUserData().connection?.closed(),
  };
  options.app.ws<SocketData>('/api/v1/streaming', behaviour).ws<SocketData>('/api/v1/streaming/', behaviour);
}

function upgrade(
  { authenticate }: WebSocketStreams,
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
  const stream = query.get('stream');
  const first =
    stream === null
      ? undefined
      : { stream, tag: query.get('tag') ?? undefined, since: query.get('since') ?? undefined };
  let aborted = false;
  response.onAborted(() => {
    aborted = true;
  });
  const finish = (grant: Grant | undefined) => {
    if (aborted) return;
    if (grant === undefined || token === '') refuse(response, new Failure('tokenInvalid'));
    else if (grant.accountId === undefined) refuse(response, new Failure('userRequired'));
    else {
      const data: SocketData = { grant: grant as UserGrant, first, connection: undefined };
      response.cork(() => response.upgrade(data, key, protocol, extensions, context));
    }
  };
  try {
    const grant = token === '' ? undefined : authenticate(token);
    if (grant instanceof Promise)
      grant.then(finish, (error: unknown) => !aborted && refuse(response, asFailure(error)));
    else finish(grant);
  } catch (error) {
    refuse(response, asFailure(error));
  }
}

function refuse(response: HttpResponse, failure: Failure): void {
  response.cork(() => {
    response
      .writeStatus(`${failure.status} Refused`)
      .writeHeader('Content-Type', 'application/json; charset=utf-8')
      .end(JSON.stringify({ error: failure.message }));
  });
}

class SocketConnection implements Connection {
  readonly grant: UserGrant;
  private readonly options: WebSocketStreams;
  private readonly socket: WebSocket<SocketData>;
  private readonly subscribers = new Map<string, Subscriber>();
  private queue: string[] = [];
  private isClosed = false;
  /** True from the first frame that had to be dropped until the socket has room again. */
  private hasGap = false;

  constructor(options: WebSocketStreams, socket: WebSocket<SocketData>, grant: UserGrant) {
    this.options = options;
    this.socket = socket;
    this.grant = grant;
  }

  received(message: ArrayBuffer): void {
    const asked = readMessage(message);
    if (asked === undefined) this.refuse('The message is not understood', 400);
    else if (asked.type === 'subscribe') this.subscribe(asked);
    else this.unsubscribe(asked);
  }

  subscribe(asked: Asked): void {
    const channel = this.allowed(asked);
    if (channel === undefined || this.subscribers.has(channel.key)) return;
    if (this.subscribers.size >= streamLimits.channelsPerSocketMax) {
      this.refuse('Too many channels on one socket', 400);
      return;
    }
    const since = asked.since === undefined ? undefined : parsePositions(asked.since);
    this.subscribers.set(channel.key, this.options.hub.subscribe(this, channel, since));
  }

  deliver(subscriber: Subscriber, frame: StreamFrame): void {
    if (this.isClosed || this.hasGap) return;
    if (this.queue.length === 0) queueMicrotask(() => this.flush());
    this.queue.push(frame.webSocket(subscriber.streamJson));
  }

  joinTopic(topic: string): void {
    if (!this.isClosed) this.socket.subscribe(topic);
  }

  leaveTopic(topic: string): void {
    if (!this.isClosed) this.socket.unsubscribe(topic);
  }

  /** A frame did not fit: the socket gets nothing until it has caught up, then hears that there is a gap. */
  lost(): void {
    this.hasGap = true;
  }

  drained(): void {
    if (!this.hasGap || this.socket.getBufferedAmount() > 0) return;
    this.hasGap = false;
    for (const subscriber of this.subscribers.values()) {
      this.socket.send(`{"stream":${subscriber.streamJson},"event":"gap","payload":"{}"}`);
    }
  }

  close(reason: 'shutdown' | 'revoked'): void {
    if (!this.isClosed) this.socket.end(reason === 'shutdown' ? shutdownClose : revokedClose);
  }

  closed(): void {
    this.isClosed = true;
    for (const subscriber of this.subscribers.values()) this.options.hub.unsubscribe(subscriber);
    this.subscribers.clear();
    this.options.hub.disconnected(this);
  }

  private unsubscribe(asked: Asked): void {
    const channel = channelOf(asked.stream, asked.tag);
    const subscriber = channel === undefined ? undefined : this.subscribers.get(channel.key);
    if (subscriber === undefined) return;
    this.subscribers.delete(subscriber.channel.key);
    this.options.hub.unsubscribe(subscriber);
  }

  /** The channel asked for, if there is one and the token may; otherwise the socket hears why not and stays open. */
  private allowed(asked: Asked): Channel | undefined {
    const channel = channelOf(asked.stream, asked.tag);
    if (channel === undefined) this.refuse('Unknown stream type', 400);
    else if (!hasAnyScope(this.grant.scopes, sufficientScopes(channel.kind.scopes)))
      this.refuse('This action is outside the authorized scopes', 401);
    else return channel;
    return undefined;
  }

  private flush(): void {
    const frames = this.queue;
    this.queue = [];
    if (this.isClosed) return;
    this.socket.cork(() => {
      for (const frame of frames) this.socket.send(frame);
    });
  }

  private refuse(error: string, status: number): void {
    this.socket.send(JSON.stringify({ error, status }));
  }
}

function readMessage(message: ArrayBuffer): (Asked & { type: 'subscribe' | 'unsubscribe' }) | undefined {
  try {
    const parsed = ClientMessage.safeParse(JSON.parse(Buffer.from(message).toString('utf8')));
    if (!parsed.success) return undefined;
    const { type, stream, tag, since } = parsed.data;
    return { type, stream, tag, since };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
