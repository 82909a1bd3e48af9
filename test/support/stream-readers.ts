/** Readers of streams for tests: one interface over WebSocket and server-sent events, one suite for both. */
import { EventSource } from 'eventsource';
import { WebSocket } from 'undici';
import type { RunningServer } from './server.ts';
import { until } from './until.ts';

export interface StreamedEvent {
  readonly event: string;
  readonly payload: unknown;
  readonly id: string | undefined;
  /** The `stream` member; undefined over SSE. */
  readonly stream: readonly string[] | undefined;
}

export interface StreamReader {
  readonly events: StreamedEvent[];
  /** The first event that fits, when it comes. */
  next(fits: (event: StreamedEvent) => boolean): Promise<StreamedEvent>;
  close(): void;
  isClosed(): boolean;
}

export interface OpenStream {
  /** Name of the channel over WebSocket. */
  readonly channel: string;
  readonly tag?: string;
  readonly list?: string;
  /** Of what is watched. */
  readonly id?: string;
  readonly token: string;
  /** Resume after this event. */
  readonly since?: string;
}

const announcementNames = ['announcement', 'announcement.reaction', 'announcement.delete'];
const eventNames = ['update', 'delete', 'notification', 'status.update', 'gap', 'machine', ...announcementNames];

export type Transport = 'websocket' | 'server-sent events';

export function openStream(
  server: Pick<RunningServer, 'origin'>,
  transport: Transport,
  asked: OpenStream,
): Promise<StreamReader> {
  return transport === 'websocket' ? openWebSocket(server, asked) : openServerSentEvents(server, asked);
}

function readerOver(events: StreamedEvent[], close: () => void, isClosed: () => boolean): StreamReader {
  return {
    events,
    close,
    isClosed,
    async next(fits) {
      await until(() => events.some(fits), { description: 'a streamed event' });
      return events.find(fits)!;
    },
  };
}

async function openWebSocket(
  server: Pick<RunningServer, 'origin'>,
  { channel, tag, list, id, token, since }: OpenStream,
): Promise<StreamReader> {
  const query = new URLSearchParams({
    stream: channel,
    ...(list === undefined ? {} : { list }),
    ...(tag === undefined ? {} : { tag }),
    ...(id === undefined ? {} : { id }),
    ...(since === undefined ? {} : { since }),
  });
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/api/v1/streaming?${query}`, token);
  const events: StreamedEvent[] = [];
  socket.addEventListener('message', (message) => {
    const frame = JSON.parse(String(message.data)) as {
      stream: string[];
      event: string;
      payload?: string;
      id?: string;
    };
    events.push({
      event: frame.event,
      payload: payloadOf(frame.event, frame.payload),
      id: frame.id,
      stream: frame.stream,
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('the WebSocket could not be opened')));
  });
  return readerOver(
    events,
    () => socket.close(),
    () => socket.readyState === WebSocket.CLOSED,
  );
}

async function openServerSentEvents(
  server: Pick<RunningServer, 'origin'>,
  { channel, tag, list, id, token, since }: OpenStream,
): Promise<StreamReader> {
  const path = channel.replaceAll(':', '/');
  const query = new URLSearchParams({
    ...(list === undefined ? {} : { list }),
    ...(tag === undefined ? {} : { tag }),
    ...(id === undefined ? {} : { id }),
  });
  const headers = { authorization: `Bearer ${token}`, ...(since === undefined ? {} : { 'last-event-id': since }) };
  const source = new EventSource(`${server.origin}/api/v1/streaming/${path}?${query}`, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }),
  });
  const events: StreamedEvent[] = [];
  for (const name of eventNames) {
    source.addEventListener(name, (message) => {
      events.push({
        event: name,
        payload: payloadOf(name, String(message.data)),
        id: message.lastEventId,
        stream: undefined,
      });
    });
  }
  await new Promise<void>((resolve, reject) => {
    source.addEventListener('open', () => resolve());
    source.addEventListener('error', () => reject(new Error('the event source could not be opened')));
  });
  return readerOver(
    events,
    () => source.close(),
    () => source.readyState === EventSource.CLOSED,
  );
}

function payloadOf(event: string, payload: string | undefined): unknown {
  if (payload === undefined || event.endsWith('delete')) return payload;
  return JSON.parse(payload);
}
