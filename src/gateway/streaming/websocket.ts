/**
 * Streaming over WebSocket: `GET /api/v1/streaming` with an upgrade, one channel by query or many by messages
 * (`{"type":"subscribe","stream":…}`). The token comes as a Bearer header, as Sec-WebSocket-Protocol (echoed, which
 * browsers insist on), or as `access_token`.
 */
import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js';
import { z } from 'zod';
import { hasAnyScope, sufficientScopes } from '../../operations/applications/scopes.ts';
import { asFailure, Failure, failures } from '../../runtime/errors.ts';
import { addressText, forwardedAddress } from '../http/address.ts';
import type { Authenticate, Grant, UserGrant } from '../http/grant.ts';
import { type Channel, channelOf } from './channels.ts';
import type { StreamFrame } from './frame.ts';
import type { StreamHub } from './hub.ts';
import { streamLimits } from './limits.ts';
import { parsePositions } from './position.ts';
import type { Connection, Subscriber } from './subscriber.ts';
import type { Writer } from './write-scheduler.ts';

interface Asked {
  readonly stream: string;
  readonly tag: string | undefined;
  readonly since: string | undefined;
}

interface SocketData {
  readonly connection: SocketConnection;
}

/** Some clients write null for what they do not give. */
const givenText = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);

const ClientMessage = z.object({
  type: z.enum(['subscribe', 'unsubscribe']),
  stream: z.string(),
  tag: givenText,
  since: givenText,
});

const noSubscribers: readonly Subscriber[] = [];
const shutdownClose = 1001;
const revokedClose = 1008;

export interface WebSocketStreams {
  readonly app: TemplatedApp;
  readonly hub: StreamHub;
  readonly authenticate: Authenticate;
  /** Proxies in front, each of which names the client that it was called by. */
  readonly trustedProxyCount: number;
}

/** Registers the WebSocket face on the gateway's app; before `listen`. */
export function serveWebSocketStreams(options: WebSocketStreams): void {
  const connectionOf = (socket: WebSocket<SocketData>) => socket.getUserData().connection;
  const behaviour = {
    maxPayloadLength: streamLimits.messageBytesMax,
    maxBackpressure: streamLimits.backpressureBytesMax,
    idleTimeout: streamLimits.idleSeconds,
    sendPingsAutomatically: true,
    upgrade: (response: HttpResponse, request: HttpRequest, context: us_socket_context_t) =>
      upgrade(options, response, request, context),
    open: (socket: WebSocket<SocketData>) => connectionOf(socket).opened(socket),
    message: (socket: WebSocket<SocketData>, message: ArrayBuffer) => connectionOf(socket).received(message),
    dropped: (socket: WebSocket<SocketData>) => connectionOf(socket).lost(),
    drain: (socket: WebSocket<SocketData>) => connectionOf(socket).drained(),
    close: (socket: WebSocket<SocketData>) => connectionOf(socket).closed(),
  };
  options.app.ws<SocketData>('/api/v1/streaming', behaviour).ws<SocketData>('/api/v1/streaming/', behaviour);
}

function upgrade(
  { authenticate, hub, trustedProxyCount }: WebSocketStreams,
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
    const first = firstChannel(query);
    if (first !== undefined) connection.subscribe(first);
  };
  const fail = (error: unknown) => {
    if (state === 'upgraded') throw error;
    if (state === 'asked') refuse(response, asFailure(error));
  };
  try {
    const grant = token === '' ? undefined : authenticate(token);
    if (grant instanceof Promise) grant.then(finish).catch(fail);
    else finish(grant);
  } catch (error) {
    fail(error);
  }
}

function isOfUser(grant: Grant): grant is UserGrant {
  return grant.accountId !== undefined;
}

function firstChannel(query: URLSearchParams): Asked | undefined {
  const stream = query.get('stream');
  if (stream === null) return undefined;
  return { stream, tag: query.get('tag') ?? undefined, since: query.get('since') ?? undefined };
}

/** The client's address; the one that the nearest trusted proxies report, where there are any. */
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
      .writeStatus(`${failure.status} Refused`)
      .writeHeader('Content-Type', 'application/json; charset=utf-8')
      .end(JSON.stringify({ error: failure.message }));
  });
}

/** There is one for each socket, so it is small: what most do not need is absent. */
class SocketConnection implements Connection, Writer {
  readonly grant: UserGrant;
  readonly address: string | undefined;
  private readonly hub: StreamHub;
  /** Set from `opened` on; absent once the socket is closed. */
  private socket: WebSocket<SocketData> | undefined = undefined;
  /** Replaced when it changes. */
  private subscribers = noSubscribers;
  private first: Uint8Array | undefined = undefined;
  /** Frames behind the first one: most ticks bring one. */
  private more: Uint8Array[] | undefined = undefined;
  /** True from the first frame that had to be dropped until the socket has room again. */
  private hasGap = false;

  constructor(hub: StreamHub, grant: UserGrant, address: string | undefined) {
    this.hub = hub;
    this.grant = grant;
    this.address = address;
  }

  opened(socket: WebSocket<SocketData>): void {
    this.socket = socket;
    this.hub.connected(this);
  }

  received(message: ArrayBuffer): void {
    const asked = readMessage(message);
    if (asked === undefined) this.refuse('The message is not understood', 400);
    else if (asked.type === 'subscribe') this.subscribe(asked);
    else this.unsubscribe(asked);
  }

  subscribe(asked: Asked): void {
    const channel = this.allowed(asked);
    if (channel === undefined || this.find(channel) !== undefined) return;
    if (this.subscribers.length >= streamLimits.channelsPerSocketMax) {
      this.refuse('Too many channels on one socket', 400);
      return;
    }
    const since = asked.since === undefined ? undefined : parsePositions(asked.since);
    this.subscribers = this.subscribers.concat(this.hub.subscribe(this, channel, since));
  }

  deliver({ channel }: Subscriber, frame: StreamFrame): void {
    if (this.socket === undefined || this.hasGap) return;
    const bytes = frame.webSocket(channel);
    if (this.first === undefined) {
      this.first = bytes;
      this.hub.scheduler.add(this);
    } else if (this.more === undefined) this.more = [bytes];
    else this.more.push(bytes);
  }

  canTakeMore(): boolean {
    return this.socket === undefined || this.waitingBytes() < streamLimits.replayWaitingBytesMax;
  }

  joinTopic(topic: string): void {
    // What the topic brings from now on must not overtake what waits here.
    this.flush();
    this.socket?.subscribe(topic);
  }

  leaveTopic(topic: string): void {
    this.socket?.unsubscribe(topic);
  }

  /** A frame did not fit: the socket gets nothing until it has caught up, then hears that there is a gap. */
  lost(): void {
    this.hasGap = true;
  }

  drained(): void {
    const { socket } = this;
    if (socket === undefined) return;
    if (this.hasGap && socket.getBufferedAmount() === 0) {
      this.hasGap = false;
      for (const { channel } of this.subscribers)
        socket.send(`{"stream":${channel.streamJson},"event":"gap","payload":"{}"}`);
    }
    this.hub.drained();
  }

  close(reason: 'shutdown' | 'revoked'): void {
    this.socket?.end(reason === 'shutdown' ? shutdownClose : revokedClose);
  }

  closed(): void {
    this.socket = undefined;
    for (const subscriber of this.subscribers) this.hub.unsubscribe(subscriber);
    this.subscribers = noSubscribers;
    this.hub.disconnected(this);
  }

  flush(): boolean {
    const { socket, first, more } = this;
    this.first = undefined;
    this.more = undefined;
    if (socket === undefined || first === undefined) return false;
    if (more === undefined) socket.send(first);
    else
      socket.cork(() => {
        socket.send(first);
        for (const bytes of more) socket.send(bytes);
      });
    this.hub.drained();
    return false;
  }

  private waitingBytes(): number {
    let bytes = (this.socket?.getBufferedAmount() ?? 0) + (this.first?.length ?? 0);
    for (const { length } of this.more ?? []) bytes += length;
    return bytes;
  }

  private unsubscribe(asked: Asked): void {
    const channel = channelOf(asked.stream, asked.tag);
    const subscriber = channel === undefined ? undefined : this.find(channel);
    if (subscriber === undefined) return;
    this.subscribers = this.subscribers.filter((other) => other !== subscriber);
    this.hub.unsubscribe(subscriber);
  }

  private find({ key }: Channel): Subscriber | undefined {
    return this.subscribers.find(({ channel }) => channel.key === key);
  }

  /** The channel asked for, if there is one and the token may; otherwise the socket hears why not and stays open. */
  private allowed(asked: Asked): Channel | undefined {
    const channel = channelOf(asked.stream, asked.tag);
    if (channel === undefined) this.refuse('Unknown stream type', 400);
    else if (!hasAnyScope(this.grant.scopes, sufficientScopes(channel.kind.scopes)))
      this.refuse(failures.streamScopeMissing.text, failures.streamScopeMissing.status);
    else return channel;
    return undefined;
  }

  private refuse(error: string, status: number): void {
    this.socket?.send(JSON.stringify({ error, status }));
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
