/** Composition of a gateway thread: all interfaces over one HTTP server. */

import { apiDocumentRoutes } from '../gateway/api-document/api-document.routes.ts';
import { type GatewayServices, gatewayServices } from '../gateway/gateway-services.ts';
import { RateLimits } from '../gateway/http/rate-limits.ts';
import { HttpServer } from '../gateway/http/server.ts';
import { createAuthenticator } from '../gateway/oauth/authenticate.ts';
import { createAdminHandler } from '../gateway/operator/admin/handler.ts';
import { liveRoute } from '../gateway/pages/live/live.ts';
import { notFoundPage } from '../gateway/pages/page-handler.ts';
import { rawRoutes } from '../gateway/raw-routes.ts';
import { endpoints } from '../gateway/rest/endpoints.ts';
import { StreamHub } from '../gateway/streaming/hub.ts';
import { serverSentEndpoints } from '../gateway/streaming/server-sent-events.ts';
import { serveWebSocketStreams } from '../gateway/streaming/websocket.ts';
import { createHtmlCleaner } from '../outbound/remote-html/cleaner.ts';
import { Failure, toWireFailure } from '../runtime/errors.ts';
import { Pool } from '../runtime/pool.ts';
import { systemClock } from '../runtime/threads/clock.ts';
import type { Link } from '../runtime/threads/link.ts';
import { hasExpired, type ThreadMessage } from '../runtime/threads/messages.ts';
import type { Service, Thread } from '../runtime/threads/thread.ts';
import { barrierTopic, type RevocationBarrier } from '../services/revocation-barrier.ts';
import { ActorAccess } from './actor-access.ts';
import { collectWhenIdle } from './idle-collection.ts';
import { createReport, createTrace, quietAboutStopping, type Report } from './log.ts';
import type { Shared } from './shared.ts';
import { sampleGateway } from './thread-gauges.ts';
import { createThreadServices } from './thread-services.ts';

const stopMilliseconds = 5_000;

export function runGateway(thread: Thread<Shared>): void {
  thread.run(new GatewayService(thread));
  collectWhenIdle();
}

class GatewayService implements Service {
  private readonly thread: Thread<Shared>;
  private readonly actors: ActorAccess;
  private readonly pool: Pool;
  private server: HttpServer<GatewayServices> | undefined;
  private streams: StreamHub | undefined;
  private barrier: RevocationBarrier | undefined;
  private readonly report: Report;
  private stopping = false;
  private handleAdmin: ((request: unknown) => Promise<unknown>) | undefined;

  constructor(thread: Thread<Shared>) {
    this.thread = thread;
    const { poolThreads } = thread.shared.options;
    this.pool = new Pool({ threads: poolThreads });
    this.report = quietAboutStopping(createReport(thread.shared, `gateway ${thread.name.index}`), () => this.stopping);
    this.actors = new ActorAccess(thread);
  }

  async start(): Promise<void> {
    const services = this.createServices();
    this.handleAdmin = createAdminHandler(services);
    await this.actors.listen();
    if (this.thread.shared.listening && !this.stopping) this.listen(services);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.actors.stopListening();
    this.streams?.close();
    const cutOff = (await this.server?.close(stopMilliseconds)) ?? 0;
    if (cutOff > 0) this.report({ level: 'warn', message: `${cutOff} requests took too long and were cut off` });
    this.actors.client.close();
    await this.pool.close();
    await this.actors.closeSnapshots();
  }

  attached(link: Link, replaced: boolean): void {
    this.actors.attached(link, replaced);
  }

  exiting(): void {
    this.server?.closeNow();
  }

  receive(message: ThreadMessage, from: Link): void {
    if (message.type === 'ask') void this.answer(message, from);
    else this.actors.receive(message);
  }

  admin(request: unknown): Promise<unknown> {
    this.actors.beginReads();
    return this.handleAdmin!(request);
  }

  /** Answers another thread. */
  private async answer(message: Extract<ThreadMessage, { type: 'ask' }>, from: Link): Promise<void> {
    const { topic, request, replyTo: handle } = message;
    if (hasExpired(message)) {
      from.send({ type: 'reply', handle, result: { ok: false, failure: toWireFailure(new Failure('expired')) } });
      return;
    }
    if (topic === barrierTopic) await this.barrier?.answer(request as ReadonlyMap<number, number>);
    from.send({ type: 'reply', handle, result: { ok: true, value: undefined } });
  }

  private createServices(): GatewayServices {
    const { client, events } = this.actors;
    const services = createThreadServices({
      thread: this.thread,
      client,
      events,
      snapshots: this.actors.openSnapshots(this.report),
      cleanHtml: createHtmlCleaner(this.pool),
      askNetwork: (index, topic, request) => client.ask('network', index, topic, request),
      ...systemClock,
      report: this.report,
    });
    this.barrier = services.barrier;
    return gatewayServices(services);
  }

  private listen(services: GatewayServices): void {
    const { options, rateLimitMemory, memory } = this.thread.shared;
    const authenticator = createAuthenticator(services);
    const served = [...endpoints, ...serverSentEndpoints(() => streams)];
    const server = new HttpServer<GatewayServices>({
      services,
      endpoints: served,
      rawRoutes: [...rawRoutes, ...apiDocumentRoutes(served), liveRoute(() => streams)],
      notFoundPage,
      metrics: this.thread.metrics,
      isOverloaded: () => this.actors.client.isOverloaded,
      bodyBytesInFlightMax: memory.bodyBytesInFlightMax,
      answerBytesWaitingMax: services.caches.bytesMax('largeAnswers'),
      slices: services.slices,
      answerBlocks: services.answerBlocks,
      beginReads: () => void services.snapshots.beginReads(),
      authenticate: authenticator,
      publicOrigin: options.origin,
      trustedProxyCount: options.trustedProxies,
      trace: createTrace(this.thread.shared, `gateway ${this.thread.name.index}`),
      rateLimits: rateLimitMemory === undefined ? undefined : new RateLimits(rateLimitMemory),
      log: ({ level, message, requestId, method, path, cause }) =>
        services.report({ level, message: `${message} (${method} ${path}, request ${requestId})`, error: cause }),
    });
    const { answerBlocks } = services;
    services.caches.measure('largeAnswers', {
      get bytes() {
        return server.largeAnswers.bytes + answerBlocks.idleBytes;
      },
    });
    const streams = new StreamHub(services, server.app);
    serveWebSocketStreams({
      app: server.app,
      hub: streams,
      authenticate: (token) => {
        services.snapshots.beginReads();
        return authenticator(token);
      },
      trustedProxyCount: options.trustedProxies,
      upgraded: () => server.upgraded(),
    });
    this.barrier?.start(services.snapshots.beginReads().commits);
    sampleGateway(this.thread.metrics, {
      server,
      streams,
      client: this.actors.client,
      report: services.report,
    });
    this.server = server;
    this.streams = streams;
    server.listen(options.host, options.port);
  }
}
