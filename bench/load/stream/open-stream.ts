/** Opens one stream of the Mastodon API, over WebSocket or as server-sent events. */
import { type Dispatcher, Pool } from 'undici';
import { failureOf } from '../http/answer.ts';
import { kindOf } from '../http/client.ts';
import type { Target } from '../target.ts';
import { ReceivingWebSocket, UpgradeRefused } from './web-socket.ts';

export interface Stream {
  /** Cuts the connection off. */
  close(): void;
}

export interface StreamListener {
  /** The bytes of one event; gone after the call. */
  event(bytes: Buffer): void;
  /** The other side has ended it. */
  closed(): void;
}

export interface StreamRequest {
  readonly token: string;
  readonly channel: string;
  readonly tag: string;
  /** The last event that the client has. */
  readonly since: string | undefined;
  readonly localAddress: string | undefined;
}

/** Rejects with a StreamRefused that says why. */
export type OpenStream = (request: StreamRequest, listener: StreamListener) => Promise<Stream>;

export class StreamRefused extends Error {}

export function webSocketOpener({ headers }: Target, address: URL, timeoutSeconds: number): OpenStream {
  const isSecure = /^(?:https|wss):$/.test(address.protocol);
  const port = Number(address.port) || (isSecure ? 443 : 80);
  return async ({ token, channel, tag, since, localAddress }, listener) => {
    const query = new URLSearchParams({ stream: channel });
    if (channel === 'hashtag') query.set('tag', tag);
    if (since !== undefined) query.set('since', since);
    const path = `/api/v1/streaming?${query}`;
    const place = { host: address.hostname, port, path, token, isSecure, headers };
    const opening = ReceivingWebSocket.open(
      localAddress === undefined ? place : { ...place, localAddress },
      (payload) => listener.event(payload),
      () => listener.closed(),
    );
    return inTime(opening, timeoutSeconds);
  };
}

async function inTime(opening: Promise<Stream>, seconds: number): Promise<Stream> {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new StreamRefused('timed out: no answer'));
    }, seconds * 1_000);
  });
  // One that opens after all is of no use to anybody.
  opening.then(
    (stream) => isLate && stream.close(),
    () => undefined,
  );
  try {
    return await Promise.race([opening, late]);
  } catch (error) {
    if (error instanceof StreamRefused || !(error instanceof Error)) throw error;
    throw new StreamRefused(error instanceof UpgradeRefused ? kindOf(error.status) : failureOf(error));
  } finally {
    clearTimeout(timer);
  }
}

export interface ServerSentEvents {
  readonly open: OpenStream;
  close(): Promise<void>;
}

export function serverSentEvents({ headers }: Target, address: URL, timeoutSeconds: number): ServerSentEvents {
  const origin = address.origin.replace(/^ws/, 'http');
  const pools = new Map<string | undefined, Pool>();
  const poolFrom = (localAddress: string | undefined) => {
    const known = pools.get(localAddress);
    if (known !== undefined) return known;
    const timeout = timeoutSeconds * 1_000;
    const connect = localAddress === undefined ? { timeout } : { timeout, localAddress };
    const pool = new Pool(origin, {
      connections: null,
      pipelining: 1,
      headersTimeout: timeout,
      bodyTimeout: 0,
      connect,
    });
    pools.set(localAddress, pool);
    return pool;
  };
  return {
    open: ({ token, channel, tag, since, localAddress }, listener) =>
      new Promise((resolve, reject) => {
        const path = `/api/v1/streaming/${channel.replace(':', '/')}${channel === 'hashtag' ? `?tag=${encodeURIComponent(tag)}` : ''}`;
        const sent = {
          ...headers,
          accept: 'text/event-stream',
          authorization: `Bearer ${token}`,
          ...(since === undefined ? {} : { 'last-event-id': since }),
        };
        poolFrom(localAddress).dispatch(
          { method: 'GET', path, headers: sent },
          new EventReader(listener, resolve, reject),
        );
      }),
    close: async () => {
      await Promise.all(Array.from(pools.values(), (pool) => pool.destroy()));
    },
  };
}

const eventEnd = Buffer.from('\n\n');

class EventReader implements Dispatcher.DispatchHandler, Stream {
  private readonly listener: StreamListener;
  private readonly opened: (stream: Stream) => void;
  private readonly refused: (error: StreamRefused) => void;
  private controller: Dispatcher.DispatchController | undefined;
  private rest: Buffer = Buffer.alloc(0);
  private closing = false;
  private isOpen = false;

  constructor(listener: StreamListener, opened: (stream: Stream) => void, refused: (error: StreamRefused) => void) {
    this.listener = listener;
    this.opened = opened;
    this.refused = refused;
  }

  close(): void {
    this.closing = true;
    this.controller?.abort(new Error('closed'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status === 200) {
      this.isOpen = true;
      this.opened(this);
      return;
    }
    this.refused(new StreamRefused(kindOf(status)));
    controller.abort(new Error('refused'));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    let bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    for (let end = bytes.indexOf(eventEnd); end >= 0; end = bytes.indexOf(eventEnd)) {
      this.listener.event(bytes.subarray(0, end));
      bytes = bytes.subarray(end + eventEnd.length);
    }
    this.rest = bytes.length === 0 ? bytes : Buffer.from(bytes);
  }

  onResponseEnd(): void {
    if (!this.closing) this.listener.closed();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.isOpen) this.refused(new StreamRefused(failureOf(error)));
    else if (!this.closing) this.listener.closed();
  }
}

const webSocketId = Buffer.from('"id":"');
const eventId = Buffer.from('\nid: ');

/** The id of an event: the last member of a frame, or a line of a server-sent event. Undefined where it has none. */
export function idOfEvent(bytes: Buffer): string | undefined {
  if (bytes.at(0) !== 0x7b) {
    const at = bytes.indexOf(eventId);
    return at < 0 ? undefined : bytes.toString('latin1', at + eventId.length).split('\n', 1)[0];
  }
  const at = bytes.lastIndexOf(webSocketId);
  // Within the payload quotes are escaped.
  if (at < 0 || bytes[at - 1] !== 0x2c || !bytes.subarray(-2).equals(Buffer.from('"}'))) return undefined;
  return bytes.toString('latin1', at + webSocketId.length, bytes.length - 2);
}
