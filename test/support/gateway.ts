/**
 * A gateway over memory partitions, on a real port of loopback: for tests of endpoints and pages that need no threads
 * and no disk. Its origin is https://social.example, whatever the port; time is the partitions' own.
 */

import { connect } from 'node:net';
import { actors, keyspaces } from '../../src/actors/catalogue.ts';
import type { InstanceSecrets } from '../../src/actors/instance/instance.messages.ts';
import { type GatewayServices, gatewayServices } from '../../src/gateway/gateway-services.ts';
import { createRateLimitMemory, RateLimits } from '../../src/gateway/http/rate-limits.ts';
import { HttpServer } from '../../src/gateway/http/server.ts';
import type { LogEntry } from '../../src/gateway/http/server-state.ts';
import { createAuthenticator } from '../../src/gateway/oauth/authenticate.ts';
import type { Endpoint, RawRoute } from '../../src/gateway/route.ts';
import { StreamHub } from '../../src/gateway/streaming/hub.ts';
import type { WatchedMachine } from '../../src/gateway/streaming/machine-channel.ts';
import { serverSentEndpoints } from '../../src/gateway/streaming/server-sent-events.ts';
import { serveWebSocketStreams } from '../../src/gateway/streaming/websocket.ts';
import { loadOptions } from '../../src/options/load.ts';
import type { Options } from '../../src/options/table.ts';
import type { EventBatch } from '../../src/runtime/events/event.ts';
import type { PartitionView } from '../../src/runtime/partition/views.ts';
import { traceOfLog } from '../../src/runtime/tracing/trace.ts';
import { addressBlocksOf } from '../../src/services/address-blocks.ts';
import { Addresses } from '../../src/services/addresses.ts';
import type { BlobStore } from '../../src/services/blobs/blob-store.ts';
import type { DomainListNetwork } from '../../src/services/domain-lists.ts';
import { EventHub, type EventListener } from '../../src/services/event-hub.ts';
import type { Feeds } from '../../src/services/feeds.ts';
import type { MailService } from '../../src/services/mail.ts';
import { type MediaRules, mediaRules } from '../../src/services/media/media-rules.ts';
import type { RemoteMedia } from '../../src/services/media/remote-media.ts';
import { Members } from '../../src/services/members.ts';
import type { PassedOnNetwork } from '../../src/services/passed-on.ts';
import { RevocationBarrier } from '../../src/services/revocation-barrier.ts';
import type { Services } from '../../src/services/services.ts';
import { TagHistories } from '../../src/services/tag-histories.ts';
import { TimeSlices } from '../../src/services/time-slices.ts';
import { Languages } from '../../src/services/words/languages.ts';
import { createTestServer, type TestServer } from './actors.ts';
import { roomyCaches } from './caches.ts';
import { quickFetch } from './fetch.ts';
import { adoptSecrets } from './known-secrets.ts';
import { mergedFeeds } from './merged-home.ts';
import { cleanNothing, clientOf, documentsHere, nobodyElsewhere, noDeliveries, only } from './only.ts';
import { assertSound } from './sound.ts';
import { streamViews } from './stream-views.ts';

export interface TestGatewayInput {
  readonly endpoints: readonly Endpoint<GatewayServices>[];
  readonly rawRoutes?: readonly RawRoute<GatewayServices>[];
  /** MURMURATION_… variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Off when absent. */
  readonly rateLimits?: boolean;
  /** Clients have the addresses that their requests name in X-Forwarded-For. */
  readonly isBehindProxy?: true;
  /** Whether requests are traced: the flows of their calls carry their ids. Off when absent. */
  readonly isTraced?: boolean;
  /** Whether files of other servers are shown at addresses of this one, as a running server does. Off when absent. */
  readonly proxiesMedia?: true;
  /** Whether to serve the streaming API. */
  readonly streams?: true;
  /** What the channel of the machine shows. */
  readonly machine?: WatchedMachine;
  /**
   * The gateway whose actors this one shares: another thread of the same server, or the same thread after a restart,
   * with empty caches. With an environment it has other options.
   */
  readonly beside?: TestGateway;
  /** Of the server; with the keys of all servers of the process when absent. */
  readonly secrets?: InstanceSecrets | 'made when they are needed';
  /** For one beside another: what dispatches its events. Those of the other, at the same moment, when absent. */
  readonly events?: EventHub;
}

export interface TestRequest extends Omit<RequestInit, 'headers' | 'body'> {
  readonly token?: string | undefined;
  readonly json?: unknown;
  /** A name may come more than once. */
  readonly form?: Readonly<Record<string, string>> | URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestGateway {
  readonly actors: TestServer;
  readonly services: GatewayServices;
  /** Log entries of the HTTP layer; most tests expect none. */
  readonly log: readonly LogEntry[];
  /** Present if it serves streams. */
  readonly streams: StreamHub | undefined;
  /** Where it listens. */
  readonly origin: string;
  /** Redirects are not followed. A body makes it a POST. */
  fetch(path: string, request?: TestRequest): Promise<Response>;
  /** Sends raw bytes on a new connection; returns everything received until it closed. */
  sendRaw(request: string): Promise<string>;
  /** The same, and its JSON; `Body` is what the test reads of it. */
  json<Body = Record<string, unknown>>(path: string, request?: TestRequest): Promise<{ status: number; body: Body }>;
  close(): Promise<void>;
}

const closeMilliseconds = 1_000;

export function startTestGateway(input: TestGatewayInput): TestGateway {
  const { beside } = input;
  const events = input.events ?? beside?.services.events ?? new EventHub();
  const heard: EventListener = (batch, recipients) => {
    server.read.noteCommit(batch);
    events.dispatch(batch, recipients);
  };
  const committed = (batch: EventBatch) => {
    heard(batch, []);
    return [];
  };
  const view = { name: 'event hub', opened: () => undefined, committed, control: () => undefined };
  const views = (): PartitionView[] => (input.streams === true ? streamViews(() => server, heard) : [view]);
  const server: TestServer = beside?.actors ?? createTestServer({ actors, keyspaces, views });
  if (beside === undefined) {
    if (input.secrets !== 'made when they are needed') adoptSecrets(server, input.secrets);
    server.watch(
      () => undefined,
      () => events.dispatchLoss(),
    );
  }
  const log: LogEntry[] = [];
  const services =
    beside === undefined || input.environment !== undefined
      ? gatewayServices(createServices(server, events, input, log))
      : { ...beside.services };
  const hubs: StreamHub[] = [];
  const streamEndpoints = input.streams === true ? serverSentEndpoints(() => hubs[0]!) : [];
  const authenticate = createAuthenticator(services);
  const http = new HttpServer<GatewayServices>({
    services,
    endpoints: [...input.endpoints, ...streamEndpoints],
    rawRoutes: input.rawRoutes ?? [],
    authenticate,
    publicOrigin: services.addresses.origin,
    trustedProxyCount: input.isBehindProxy === true ? 1 : 0,
    rateLimits: input.rateLimits === true ? new RateLimits(createRateLimitMemory(), services.now) : undefined,
    log: (entry) => void log.push(entry),
    isBarred: (client) => addressBlocksOf(services).bars(client),
    ...(input.isTraced === true && { trace: traceOfLog(() => undefined) }),
    beginReads: () => void services.snapshots.beginReads(),
  });
  if (input.streams === true) {
    const hub = new StreamHub(services, http.app, input.machine);
    hubs.push(hub);
    serveWebSocketStreams({
      app: http.app,
      hub,
      authenticate,
      isCompressing: false,
      trustedProxyCount: 0,
      isBarred: (client) => addressBlocksOf(services).bars(client),
      upgraded: () => http.upgraded(),
    });
  }
  const port = http.listen('127.0.0.1', 0);
  const send = (path: string, request: TestRequest = {}) =>
    quickFetch(`http://127.0.0.1:${port}${path}`, initOf(request));
  return {
    actors: server,
    services,
    log,
    streams: hubs[0],
    origin: `http://127.0.0.1:${port}`,
    fetch: send,
    async sendRaw(request) {
      const socket = connect(port, '127.0.0.1');
      socket.end(request);
      return (await socket.setEncoding('utf8').toArray()).join('');
    },
    async json<Body>(path: string, request?: TestRequest) {
      const response = await send(path, request);
      return { status: response.status, body: (await response.json()) as Body };
    },
    close: async () => {
      hubs[0]?.close();
      await http.close(closeMilliseconds);
      server.settle();
      assertSound(server.disks);
    },
  };
}

const defaultOptions = optionsOf({});

function optionsOf(environment: Readonly<Record<string, string>>): Options {
  return loadOptions({
    environment: { MURMURATION_ORIGIN: 'https://social.example', ...environment },
    configurationFolder: 'config',
  });
}

/** Services without other servers and threads: a test that uses the rest fails. */
function createServices(
  server: TestServer,
  events: EventHub,
  { environment = {}, proxiesMedia }: TestGatewayInput,
  log: LogEntry[],
): Services {
  const options = Object.keys(environment).length === 0 ? { ...defaultOptions } : optionsOf(environment);
  const client = clientOf(server);
  const caches = roomyCaches();
  const { origin, domain, mediaOrigin } = options;
  const [members, snapshots] = [new Members(), server.read];
  const proxyKey = () => (proxiesMedia ? 'a key' : undefined);
  const rejectsMedia: MediaRules['rejects'] = (...of) => mediaRules({ snapshots, events, members }).rejects(...of);
  return only<Services>('services', {
    options,
    addresses: new Addresses(origin, domain, mediaOrigin, proxyKey, false, rejectsMedia),
    blobs: only<BlobStore>('blobs', {
      readersOrigin: undefined,
      list: () => ({ [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }) }),
    }),
    remoteMedia: only<RemoteMedia>('remoteMedia', { usage: async () => [] }),
    client,
    snapshots: server.read,
    feeds: only<Feeds>('feeds', mergedFeeds(server)),
    events,
    caches,
    languages: new Languages(options.language),
    tagHistories: new TagHistories({ ...server.clock, snapshots: server.read, events, caches }),
    barrier: new RevocationBarrier({ client, events, gateways: [], report: () => undefined }),
    members,
    slices: new TimeSlices(),
    ...server.clock,
    report: ({ level, message, error }) => {
      if (level === 'warn' || level === 'error')
        log.push({ level, message, requestId: '', method: '', path: '', cause: error });
    },
    deliveryLanes: noDeliveries,
    domainLists: only<DomainListNetwork>('domain lists', {}),
    storage: { state: async () => ({ figures: undefined, isMeasuring: true }) },
    mail: only<MailService>('mail', { isOn: options.smtpUrl !== undefined }),
    translator: undefined,
    cleanHtml: cleanNothing,
    signedDocuments: documentsHere,
    passedOn: only<PassedOnNetwork>('passed on', {}),
    resolver: nobodyElsewhere,
  });
}

function initOf({ token, json, form, headers, ...rest }: TestRequest) {
  const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
  const contentType = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    ...(body === undefined ? {} : { method: 'POST', body }),
    ...rest,
    headers: {
      ...(body === undefined ? {} : { 'content-type': contentType }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  };
}
