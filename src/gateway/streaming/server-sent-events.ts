/**
 * Streaming over server-sent events: one channel per request, below /api/v1/streaming. `Last-Event-ID` resumes. A
 * comment every 15 seconds keeps the connection alive.
 */
import { z } from 'zod';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { type Answer, type AnswerSink, bytes, redirect, stream } from '../http/answers.ts';
import type { RequestContext } from '../http/context.ts';
import type { Grant, UserGrant } from '../http/grant.ts';
import { boolean, text } from '../http/parameter-types.ts';
import { type Endpoint, endpoint } from '../route.ts';
import { channelKinds, channelOf } from './channels.ts';
import { eventEnd, type StreamFrame } from './frame.ts';
import type { Beating } from './heartbeats.ts';
import type { StreamHub } from './hub.ts';
import { streamLimits } from './limits.ts';
import { parsePositions } from './position.ts';
import type { CloseReason, Connection, Subscriber } from './subscriber.ts';
import type { Writer } from './write-scheduler.ts';

const heartbeat = Buffer.from(':thump\n');
const gap = 'event: gap\ndata: {}\n\n';
/** The library mastodon-api drops events with more lines than Mastodon's two, such as an id, or a comment before it. */
const readsTwoLines = /^node-mastodon-client\b/;

const plainText = z.string().meta({ contentMediaType: 'text/plain' });
const eventStream = z.string().meta({ contentMediaType: 'text/event-stream' });

/** The SSE endpoints. A function, because the hub is created after the declarations. */
export function serverSentEndpoints(hubOf: () => StreamHub): Endpoint<Services>[] {
  const paths = [...new Set(channelKinds.map((kind) => kind.path))];
  return [...paths.map((path) => channelEndpoint(path, hubOf)), health, redirection, unknownChannel];
}

function channelEndpoint(path: string, hubOf: () => StreamHub): Endpoint<Services> {
  const kinds = channelKinds.filter((kind) => kind.path === path);
  return endpoint({
    method: 'GET',
    path: `/api/v1/streaming/${path}`,
    authentication: 'user',
    admitsMoved: true,
    scopes: kinds[0]!.scopes,
    scopeFailure: 'streamScopeMissing',
    parameters: parametersOf(kinds),
    summary: `Events of the channel ${kinds[0]!.name}, as server-sent events.`,
    answer: eventStream,
    handler(context, given) {
      const isOnlyMedia = given.only_media === true;
      const kind = kinds.find(({ onlyMedia = false }) => onlyMedia === isOnlyMedia) ?? kinds[0]!;
      const asked = channelOf(kind.name, given);
      if (asked === undefined) throw new Failure('unknownChannel');
      const hub = hubOf();
      const { grant, request } = context;
      if (!hub.mayOpen(asked, grant.accountId)) throw new Failure('forbidden');
      const channel = hub.find(asked, grant.accountId);
      if (channel === undefined) throw new Failure('notFound');
      const address = hub.admit(grant.accountId, request.ip);
      const isBare = readsTwoLines.test(request.header('user-agent') ?? '');
      const lastEventId = request.header('last-event-id');
      const since = lastEventId === undefined ? undefined : parsePositions(lastEventId);
      return stream({
        contentType: 'text/event-stream',
        headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
        open: (sink) => {
          const connection = new ServerSentConnection(hub, sink, grant, address, isBare);
          const subscriber = hub.subscribe(connection, channel, since);
          return () => connection.ended(subscriber);
        },
      });
    },
  });
}

function parametersOf(kinds: typeof channelKinds): z.ZodObject {
  const texts = kinds.flatMap(({ parameter }) => (parameter === undefined ? [] : [[parameter.name, text] as const]));
  return z.object({
    ...Object.fromEntries(texts),
    ...(kinds.some(({ onlyMedia }) => onlyMedia) ? { only_media: boolean } : {}),
  });
}

const health = endpoint({
  method: 'GET',
  path: '/api/v1/streaming/health',
  authentication: 'optional',
  rateLimit: 'none',
  summary: 'Health check of the streaming API.',
  answer: plainText,
  handler: () => bytes('OK', { contentType: 'text/plain; charset=utf-8' }),
});

/** Specification 4.3: redirects to the configured streaming base address when one is set; 404 otherwise. */
const redirection = endpoint({
  method: 'GET',
  path: '/api/v1/streaming',
  authentication: 'optional',
  summary: 'Redirects to the streaming address, if another one is configured.',
  answer: z.never(),
  handler: redirectToStreaming,
});

function redirectToStreaming({ services, request }: RequestContext<Services, Grant | undefined>): Answer {
  const { streamingOrigin } = services.options;
  if (streamingOrigin === undefined) throw new Failure('notFound');
  return redirect(`${streamingOrigin}/api/v1/streaming${request.query === '' ? '' : `?${request.query}`}`, 307);
}

const unknownParameters = z.object({ channel: z.string() });

const unknownChannel = endpoint({
  method: 'GET',
  path: '/api/v1/streaming/:channel',
  authentication: 'optional',
  parameters: unknownParameters,
  summary: 'Unknown channel: always 404.',
  answer: z.never(),
  handler: () => {
    throw new Failure('unknownChannel');
  },
});

class ServerSentConnection implements Connection, Writer, Beating {
  readonly grant: UserGrant;
  readonly address: string | undefined;
  /** Whether its reader gets two lines per event. */
  private readonly isBare: boolean;
  private readonly hub: StreamHub;
  private readonly sink: AnswerSink;
  private readonly endHeartbeat: () => void;
  private queue: Uint8Array[] = [];
  /** False while the socket's buffer is full. */
  private isWritable = true;
  private waitingBytes = 0;
  /** Queued since its last turn to write. */
  private newBytes = 0;
  private hasGap = false;

  constructor(hub: StreamHub, sink: AnswerSink, grant: UserGrant, address: string | undefined, isBare: boolean) {
    this.isBare = isBare;
    this.hub = hub;
    this.sink = sink;
    this.grant = grant;
    this.address = address;
    this.endHeartbeat = hub.heartbeats.add(this);
    sink.onDrain(() => this.drained());
    sink.write(isBare ? heartbeat : ':)\n');
    hub.connected(this);
  }

  deliver(subscriber: Subscriber, frame: StreamFrame): void {
    this.write(this.isBare ? Buffer.from(`${frame.twoLines()}\n`) : frame.serverSent(subscriber));
  }

  beat(): void {
    this.write(heartbeat);
  }

  get bufferedBytes(): number {
    return this.isWritable ? 0 : this.waitingBytes;
  }

  canTakeMore(): boolean {
    return this.waitingBytes < streamLimits.replayWaitingBytesMax;
  }

  close(reason: CloseReason): void {
    if (reason === 'slow') this.sink.abort();
    else this.sink.end();
  }

  ended(subscriber: Subscriber): void {
    this.endHeartbeat();
    this.hub.unsubscribe(subscriber);
    this.hub.disconnected(this);
  }

  /** Data queued while the socket is full counts as written, because it occupies the shared buffer memory too. */
  flush(): boolean {
    const { newBytes } = this;
    this.newBytes = 0;
    this.writeQueue();
    if (newBytes > 0) this.hub.scheduler.wrote(newBytes);
    return false;
  }

  private writeQueue(): void {
    if (this.queue.length === 0 || !this.isWritable) return;
    const chunk = this.queue.length === 1 ? this.queue[0]! : Buffer.concat(this.queue);
    this.queue = [];
    this.isWritable = this.sink.write(chunk);
    if (!this.isWritable) return;
    this.waitingBytes = 0;
    this.hub.drained();
  }

  private write(bytes: Uint8Array): void {
    if (this.hasGap) return;
    this.waitingBytes += bytes.length;
    if (this.waitingBytes > streamLimits.backpressureBytesMax) {
      this.hasGap = true;
      for (const { length } of [...this.queue, bytes]) this.waitingBytes -= length;
      this.queue = [];
      return;
    }
    if (this.newBytes === 0) this.hub.scheduler.add(this);
    this.newBytes += bytes.length;
    this.queue.push(bytes);
  }

  private drained(): void {
    this.isWritable = true;
    this.waitingBytes = 0;
    if (this.hasGap) {
      this.hasGap = false;
      this.queue = [Buffer.from(this.isBare ? gap : gap + eventEnd)];
    }
    this.flush();
    this.hub.drained();
  }
}
