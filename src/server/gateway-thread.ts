/** Composition of a gateway thread: all interfaces over one HTTP server. */
import { setTimeout } from 'node:timers/promises';
import { apiDocumentRoutes } from '../gateway/api-document/api-document.routes.ts';
import { type GatewayServices, gatewayServices } from '../gateway/gateway-services.ts';
import { RateLimits } from '../gateway/http/rate-limits.ts';
import { HttpServer } from '../gateway/http/server.ts';
import { createAuthenticator } from '../gateway/oauth/authenticate.ts';
import { createAdminHandler } from '../gateway/operator/admin/handler.ts';
import { healthOf } from '../gateway/operator/health/health.ts';
import { Machine } from '../gateway/operator/machine/machine.ts';
import { machineRoutes } from '../gateway/pages/admin/machine/machine-page.ts';
import { liveRoute } from '../gateway/pages/live/live.ts';
import { notFoundPage } from '../gateway/pages/page-handler.ts';
import { rawRoutes } from '../gateway/raw-routes.ts';
import { endpoints } from '../gateway/rest/endpoints.ts';
import { StreamHub } from '../gateway/streaming/hub.ts';
import { serverSentEndpoints } from '../gateway/streaming/server-sent-events.ts';
import { serveWebSocketStreams } from '../gateway/streaming/websocket.ts';
import type { Thread } from '../runtime/threads/thread.ts';
import type { Trace } from '../runtime/tracing/trace.ts';
import { addressBlocksOf } from '../services/address-blocks.ts';
import type { Answerer } from '../services/network-services.ts';
import { barrierTopic } from '../services/revocation-barrier.ts';
import { warmHomes } from '../services/warm-homes.ts';
import { uploadFolder } from './folder/data-folder.ts';
import { gatewayEvents } from './gateway-events.ts';
import { followCertificate, servedFiles } from './listening/certificate-watch.ts';
import { socketPath } from './listening/unix-socket.ts';
import type { PoolName } from './pools.ts';
import { processReader } from './process-metrics.ts';
import { runServiceThread, type Work, type WorkInput } from './service-thread.ts';
import { mayServe, memoryOf, type Shared } from './shared.ts';
import { sampleGateway } from './thread-gauges.ts';

const stopMilliseconds = 5_000;
/**
 * In a cluster, where the next node waits for the end of this one: a slow download is not worth that nobody can write. Deliveries get as much
 * afterwards (laneLimits), and a take-over takes 0.3 seconds: less than one in all.
 */
const handoverMilliseconds = 250;

export async function runGateway(thread: Thread<Shared>, pools: readonly PoolName[]): Promise<void> {
  await runServiceThread(thread, {
    pools,
    // Streams name events by their place in a commit.
    wantedEvents: { numbers: gatewayEvents, isWhole: true },
    work: (input) => new GatewayWork(input),
  });
}

class GatewayWork implements Work {
  readonly answerers: ReadonlyMap<string, Answerer>;
  readonly admin: (request: unknown) => Promise<unknown>;
  private readonly thread: Thread<Shared>;
  private readonly services: GatewayServices;
  private readonly trace: Trace | undefined;
  private readonly machine: Machine;
  private server: HttpServer<GatewayServices> | undefined;
  private streams: StreamHub | undefined;
  private readonly closing = new AbortController();
  private unfollow: () => void = () => undefined;

  constructor({ thread, services, trace }: WorkInput) {
    this.thread = thread;
    this.services = gatewayServices(services);
    this.trace = trace;
    this.machine = new Machine({
      measured: thread.measured,
      figures: processReader(),
      lanes: () => services.deliveryLanes.reports(),
      now: () => services.now(),
      report: (problem) => services.report(problem),
    });
    this.admin = createAdminHandler(this.services, {
      machine: this.machine,
      health: () => healthOf(this.services),
    });
    const { barrier } = services;
    this.answerers = new Map([[barrierTopic, (commits) => barrier.answer(commits as ReadonlyMap<number, number>)]]);
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.unfollow();
    this.streams?.close();
    const isAlone = this.thread.shared.options.cluster === undefined;
    const cutOff = (await this.server?.close(isAlone ? stopMilliseconds : handoverMilliseconds)) ?? 0;
    if (cutOff > 0) {
      const message = `${cutOff} requests took too long and were cut off`;
      this.services.report({ level: 'warn', message });
    }
  }

  exiting(): void {
    this.server?.closeNow();
  }

  serve(): void {
    const services = this.services;
    const thread = this.thread;
    const { options, rateLimitMemory, certificateTurn, dataDirectory } = thread.shared;
    const turn = certificateTurn === undefined ? 0 : Atomics.load(certificateTurn, 0);
    const { client, barrier } = services;
    const authenticator = createAuthenticator(services);
    const addressBlocks = addressBlocksOf(services);
    const isBarred = (client: { readonly ip: string }) => addressBlocks.bars(client);
    const isOver = options.cluster === undefined ? undefined : () => !mayServe(thread.shared);
    const served = [...endpoints, ...serverSentEndpoints(() => streams)];
    const server = new HttpServer<GatewayServices>({
      services,
      endpoints: served,
      rawRoutes: [
        ...rawRoutes,
        ...apiDocumentRoutes(served),
        liveRoute(() => streams),
        ...machineRoutes(() => machine),
      ],
      notFoundPage,
      certificate: certificateTurn && servedFiles(dataDirectory, turn),
      metrics: thread.metrics,
      waitMilliseconds: () => client.waitMilliseconds,
      isBarred,
      isOver,
      bodyBytesInFlightMax: memoryOf(thread.shared, thread.name.role).bodyBytesMax,
      answerBytesWaitingMax: services.caches.bytesMax('largeAnswers'),
      slices: services.slices,
      answerBlocks: services.answerBlocks,
      uploadFolder: uploadFolder(dataDirectory, thread.name.index),
      beginReads: () => void services.snapshots.beginReads(),
      authenticate: authenticator,
      publicOrigin: options.origin,
      trustedProxyCount: options.trustedProxies,
      compresses: options.compression,
      trace: this.trace,
      rateLimits: rateLimitMemory === undefined ? undefined : new RateLimits(rateLimitMemory, services.now),
      log: ({ level, message, requestId, method, path, cause }) =>
        services.report({ level, message: `${message} (${method} ${path}, request ${requestId})`, error: cause }),
    });
    const { answerBlocks } = services;
    services.caches.measure('largeAnswers', {
      get bytes() {
        return server.largeAnswers.bytes + answerBlocks.idleBytes;
      },
    });
    const { machine } = this;
    const streams = new StreamHub(services, server.app, machine);
    serveWebSocketStreams({
      app: server.app,
      hub: streams,
      authenticate: (token, sender) => {
        services.snapshots.beginReads();
        return authenticator(token, sender);
      },
      trustedProxyCount: options.trustedProxies,
      isBarred,
      isOver,
      isCompressing: options.streamCompression,
      upgraded: () => server.upgraded(),
    });
    barrier.start(services.snapshots.beginReads().commits);
    sampleGateway(thread.metrics, { server, streams, report: services.report });
    this.server = server;
    this.streams = streams;
    this.listen(server);
    if (certificateTurn !== undefined)
      this.unfollow = followCertificate(
        certificateTurn,
        turn,
        (next) => server.app.exchange(servedFiles(dataDirectory, next)),
        services.report,
      );
    void this.warmHomes();
  }

  private listen(server: HttpServer<GatewayServices>): void {
    const { host, port, socket, socketMode } = this.thread.shared.options;
    if (socket === undefined) server.listen(host, port);
    else server.listenUnix(socketPath(socket, this.thread.name.index), socketMode);
  }

  private async warmHomes(): Promise<void> {
    const { ringMemory } = this.thread.shared;
    const { index } = this.thread.name;
    const { gateway: gateways = 1 } = this.thread.counts;
    const { signal } = this.closing;
    try {
      await warmHomes({
        ...this.services,
        partitions: [...ringMemory.keys()].filter((partition) => partition % gateways === index),
        ringsPerPartition: ringMemory[0]!.rings,
        pause: (milliseconds) => setTimeout(milliseconds, undefined, { signal, ref: false }),
      });
    } catch (error) {
      if (!signal.aborted) this.services.report({ level: 'warn', message: 'homes could not be warmed', error });
    }
  }
}
