/** One WebSocket and its channels. */
import type { WebSocket } from 'uWebSockets.js';
import { hasAnyScope, sufficientScopes } from '../../operations/applications/scopes.ts';
import { failures } from '../http/failures.ts';
import type { UserGrant } from '../http/grant.ts';
import { type Channel, channelOf } from './channels.ts';
import { type AskedChannel, readClientMessage } from './client-messages.ts';
import { compressed, type StreamFrame } from './frame.ts';
import type { StreamHub } from './hub.ts';
import { streamLimits } from './limits.ts';
import { parsePositions } from './position.ts';
import type { CloseReason, Connection, Subscriber } from './subscriber.ts';
import type { Writer } from './write-scheduler.ts';

export interface SocketData {
  readonly connection: SocketConnection;
}

const noSubscribers: readonly Subscriber[] = [];
const shutdownClose = 1001;
const revokedClose = 1008;
/** Messages are text (behaviour of the Mastodon API). */
const binaryClose = 1003;
/** Characters of an unknown member in its error. */
const unknownShownMax = 50;

/** Kept small, because a gateway has many: what most do not need is absent. */
export class SocketConnection implements Connection, Writer {
  readonly grant: UserGrant;
  readonly address: string | undefined;
  private readonly hub: StreamHub;
  /** Set from `opened` on; absent once the socket is closed. */
  private socket: WebSocket<SocketData> | undefined = undefined;
  /** Replaced when it changes. */
  private subscribers = noSubscribers;
  private first: Uint8Array | undefined = undefined;
  /** Frames after the first one: most ticks have only one. */
  private more: Uint8Array[] | undefined = undefined;
  /** True from the first dropped frame until the socket has room again. */
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

  received(message: ArrayBuffer, isBinary: boolean): void {
    if (isBinary) {
      this.socket?.end(binaryClose);
      return;
    }
    const asked = readClientMessage(message);
    if (asked === undefined) {
      this.refuse('The message is not understood', 400);
      return;
    }
    // The rest is done, because applications send members that other servers know.
    if (asked.unknown !== undefined) this.refuse(`Unknown member: ${asked.unknown.slice(0, unknownShownMax)}`, 400);
    if (asked.type === 'subscribe') this.subscribe(asked);
    else this.unsubscribe(asked);
  }

  subscribe(asked: AskedChannel): void {
    const channel = this.allowed(asked);
    if (channel === undefined || this.find(channel) !== undefined) return;
    if (!this.hasRoomFor(channel)) {
      this.refuse('Too many channels on one socket', 400);
      return;
    }
    const since = asked.since === undefined ? undefined : parsePositions(asked.since);
    this.subscribers = this.subscribers.concat(this.hub.subscribe(this, channel, since));
  }

  deliver(subscriber: Subscriber, frame: StreamFrame): void {
    if (this.socket === undefined || this.hasGap) return;
    const bytes = frame.webSocket(subscriber);
    if (this.first === undefined) {
      this.first = bytes;
      this.hub.scheduler.add(this);
    } else if (this.more === undefined) this.more = [bytes];
    else this.more.push(bytes);
  }

  get bufferedBytes(): number {
    return this.socket?.getBufferedAmount() ?? 0;
  }

  canTakeMore(): boolean {
    return this.socket === undefined || this.waitingBytes() < streamLimits.replayWaitingBytesMax;
  }

  joinTopic(topic: string): void {
    // Frames of the topic must not overtake those queued here.
    this.flush();
    this.socket?.subscribe(topic);
  }

  leaveTopic(topic: string): void {
    this.socket?.unsubscribe(topic);
  }

  /** A frame did not fit: the socket gets nothing until its buffer is empty, then a `gap`. */
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

  close(reason: CloseReason): void {
    if (reason === 'slow') this.socket?.close();
    else this.socket?.end(reason === 'shutdown' ? shutdownClose : revokedClose);
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
    let bytes = first.length;
    if (more === undefined) socket.send(first, ...compressed);
    else
      socket.cork(() => {
        socket.send(first, ...compressed);
        for (const frame of more) {
          socket.send(frame, ...compressed);
          bytes += frame.length;
        }
      });
    this.hub.drained();
    this.hub.scheduler.wrote(bytes);
    return false;
  }

  private hasRoomFor({ kind }: Channel): boolean {
    if (this.subscribers.length >= streamLimits.channelsPerSocketMax) return false;
    if (kind.watched === undefined) return true;
    const watching = this.subscribers.filter(({ channel }) => channel.kind.watched !== undefined);
    return watching.length < streamLimits.watchedPerSocketMax;
  }

  private waitingBytes(): number {
    let bytes = this.bufferedBytes + (this.first?.length ?? 0);
    for (const { length } of this.more ?? []) bytes += length;
    return bytes;
  }

  private unsubscribe(asked: AskedChannel): void {
    const channel = channelOf(asked.stream, asked.parameters);
    const subscriber = channel === undefined ? undefined : this.find(channel);
    if (subscriber === undefined) return;
    this.subscribers = this.subscribers.filter((other) => other !== subscriber);
    this.hub.unsubscribe(subscriber);
  }

  private find({ key }: Channel): Subscriber | undefined {
    return this.subscribers.find(({ channel }) => channel.key === key);
  }

  /**
   * The requested channel. If it does not exist, or the token is not sufficient, the client gets the reason and the
   * socket stays open.
   */
  private allowed(asked: AskedChannel): Channel | undefined {
    const channel = channelOf(asked.stream, asked.parameters);
    if (channel === undefined) this.refuse('Unknown stream type', 400);
    else if (!hasAnyScope(this.grant.scopes, sufficientScopes(channel.kind.scopes)))
      this.refuse(failures.streamScopeMissing.text, failures.streamScopeMissing.status);
    else if (!this.hub.mayOpen(channel, this.grant.accountId))
      this.refuse(failures.forbidden.text, failures.forbidden.status);
    else {
      const found = this.hub.find(channel, this.grant.accountId);
      if (found === undefined) this.refuse(failures.notFound.text, failures.notFound.status);
      return found;
    }
    return undefined;
  }

  private refuse(error: string, status: number): void {
    this.socket?.send(JSON.stringify({ error, status }));
  }
}
