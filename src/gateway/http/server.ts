/**
 * The HTTP server of one gateway thread. Several, in threads of one process, may listen on the same port: the kernel
 * distributes connections. All requests arrive through one native pattern per method and are routed here, so that
 * preflights, HEAD, trailing slashes, wrong methods and unknown paths are treated alike everywhere.
 *
 * The files of this folder: request (the input), router, token, scopes and rate-limits (admission), parameters/,
 * parameter-types and validation (parsing), serve-endpoint and serve-raw (execution), answers, pagination and
 * failure-answer (output), exchange (one request and its one answer, safely).
 *
 * A thread must call `close` before it ends: a listening native app aborts the process otherwise.
 */
import './native-settings.ts';
import './no-server-header.ts';
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { chmodSync } from 'node:fs';
import { Failure, overloadRefusal } from '../../runtime/errors.ts';
import type { Metrics } from '../../runtime/metrics/metrics.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import { type Endpoint, type RawRoute, rawRoute } from '../route.ts';
import type { Answer } from './answers.ts';
import type { RawContext } from './context.ts';
import { isForPrograms, isOpenToOtherOrigins, preflightAnswer } from './cors.ts';
import { Exchange, type ResponseProfile } from './exchange.ts';
import { failureAnswer } from './failure-answer.ts';
import { askerOf, FairShares } from './fair-shares.ts';
import type { Authenticate } from './grant.ts';
import { type CertificateFiles, NativeApps } from './native-apps.ts';
import { IncomingRequest, type RequestMethod, type RequestSettings } from './request.ts';
import { isAcceptableRequestId, nextRequestId } from './request-ids.ts';
import { RequestMeter } from './request-metrics.ts';
import { anyPath, endpointProfile, rawProfile, unknownPathProfile } from './response-profiles.ts';
import { Router } from './router.ts';
import { EndpointServer } from './serve-endpoint.ts';
import { RawServer } from './serve-raw.ts';
import { ServerState, type ServerStateOptions } from './server-state.ts';

export interface HttpServerOptions<Services> extends RequestSettings, ServerStateOptions {
  readonly services: Services;
  readonly endpoints: readonly Endpoint<Services>[];
  readonly rawRoutes: readonly RawRoute<Services>[];
  /** Answers unknown paths outside of the API, for GET; without it they get the JSON of the API. */
  readonly notFoundPage?: (context: RawContext<Services>) => Answer | Promise<Answer>;
  readonly authenticate: Authenticate;
  /** With them the server speaks TLS. */
  readonly certificate?: CertificateFiles | undefined;
  readonly metrics?: Metrics;
  /** True for clients of whom no request is served. */
  readonly isBarred?: (client: { readonly ip: string }) => boolean;
  /** True once another server may answer in place of this one: nothing is served any more. */
  readonly isOver?: (() => boolean) | undefined;
  /** How long a request that changes something would wait for its turn: some or all are refused when that is too long. */
  readonly waitMilliseconds?: () => number;
}

interface Target<Services> {
  readonly profile: ResponseProfile<Services>;
  readonly server: EndpointServer<Services> | RawServer<Services>;
}

export class HttpServer<Services> {
  /** For WebSockets only, which are registered before `listen`; their patterns win over the routes here. */
  readonly app: NativeApps;
  private readonly options: HttpServerOptions<Services>;
  private readonly state: ServerState;
  private readonly shares = new FairShares();
  private readonly router = new Router<Target<Services>>();
  private readonly unknown: RequestMeter | undefined;
  private readonly notFound: Target<Services> | undefined;
  private connections = 0;
  private closed: Promise<number> | undefined;

  /** Throws an Error when two declarations claim the same method and path. */
  constructor(options: HttpServerOptions<Services>) {
    this.options = options;
    this.app = new NativeApps(options.certificate);
    this.state = new ServerState(options);
    for (const endpoint of options.endpoints) {
      const target = {
        profile: endpointProfile(endpoint, this.meter(endpoint.path)),
        server: new EndpointServer(endpoint, options.authenticate),
      };
      for (const method of endpoint.methods)
        for (const path of [endpoint.path, ...endpoint.olderPaths]) this.router.add(method, path, target);
    }
    for (const route of options.rawRoutes)
      this.router.add(route.method, route.path, rawTarget(route, this.meter(route.path)));
    const page = options.notFoundPage;
    this.unknown = this.meter('(unknown)');
    this.notFound =
      page === undefined
        ? undefined
        : rawTarget(rawRoute({ method: 'GET', path: anyPath, handler: page }), this.unknown);
    this.registerMethods();
  }

  /** Work in progress. */
  get load(): { readonly connections: number; readonly requests: number; readonly bodyBytes: number } {
    const { requestsInFlight: requests, bodyBytesInFlight, uploads } = this.state;
    return { connections: this.connections, requests, bodyBytes: bodyBytesInFlight + uploads.load.bytes };
  }

  /** Whether requests that change something are refused, some or all of them. */
  get isOverloaded(): boolean {
    return this.shares.isSharing(this.waitMilliseconds, systemClock.monotonic());
  }

  /** Bytes of large answers that wait for slow clients. */
  get largeAnswers(): { readonly bytes: number } {
    return this.state.largeAnswers;
  }

  /** Files on their way, in both directions. */
  get files(): { readonly received: number; readonly sent: number; readonly unwrittenBytes: number } {
    const { uploads, fileAnswers } = this.state;
    return { received: uploads.load.uploads, sent: fileAnswers.count, unwrittenBytes: uploads.load.bytes };
  }

  /** A connection has become a WebSocket: from now on the library does not report its end here. */
  upgraded(): void {
    this.connections -= 1;
  }

  private meter(path: string): RequestMeter | undefined {
    const { metrics } = this.options;
    return metrics === undefined ? undefined : new RequestMeter(metrics, path);
  }

  private registerMethods(): void {
    const receiver = (method: RequestMethod) => (response: HttpResponse, native: HttpRequest) =>
      this.receive(method, response, native);
    const countConnections = (_response: HttpResponse, change: number) => {
      this.connections += change;
    };
    this.app.declare((app) => {
      app
        .filter(countConnections)
        .get('/*', receiver('GET'))
        .head('/*', receiver('HEAD'))
        .post('/*', receiver('POST'))
        .put('/*', receiver('PUT'))
        .patch('/*', receiver('PATCH'))
        .del('/*', receiver('DELETE'))
        .options('/*', receiver('OPTIONS'))
        .any('/*', receiver('OTHER'));
    });
  }

  /**
   * Begins to listen and returns the port. Port 0 gives a free one, which no other server can share; an explicit port
   * can be shared. Throws an Error where listening is impossible.
   */
  listen(host: string, port: number): number {
    return this.app.listen(host, port);
  }

  /** Listens on a Unix socket, replacing what is at the path, and gives it these permissions; until then nobody has any. */
  listenUnix(path: string, mode: number): void {
    this.app.listenUnix(path);
    chmodSync(path, mode);
  }

  /**
   * Stops listening, lets running requests end until the deadline, then closes every connection, including those whose
   * request is incomplete by then. Answers how many running requests were cut off.
   */
  close(deadlineMilliseconds: number): Promise<number> {
    this.closed ??= this.closeOnce(deadlineMilliseconds);
    return this.closed;
  }

  private async closeOnce(deadlineMilliseconds: number): Promise<number> {
    this.state.closing = true;
    this.app.stopListening();
    const cutOff = await this.state.idle(deadlineMilliseconds);
    this.closeNow();
    return cutOff;
  }

  /** For a thread that ends at this moment, whatever is in progress. */
  closeNow(): void {
    this.app.close();
  }

  private receive(method: RequestMethod, response: HttpResponse, native: HttpRequest): void {
    const { options } = this;
    const request = new IncomingRequest(method, native, response, options, this.requestId(native));
    const match = this.router.find(method === 'HEAD' ? 'GET' : method, request.path);
    const ambiguity = ambiguityOf(request);
    if (ambiguity !== undefined) {
      this.refuseAmbiguous(request, response, ambiguity);
      return;
    }
    const isOver = options.isOver?.() === true;
    if (isOver || options.isBarred?.(request) === true) {
      const profile = match?.target.profile ?? unknownPathProfile<Services>(request.path, this.unknown);
      const exchange = new Exchange(request, response, options.services, this.state, profile);
      exchange.fail(isOver ? overloadRefusal : new Failure('forbidden'));
      return;
    }
    if (match === undefined) {
      this.receiveUnmatched(request, response);
      return;
    }
    const { profile, server } = match.target;
    const exchange = new Exchange(request, response, options.services, this.state, profile);
    const refusal = method === 'GET' || method === 'HEAD' ? undefined : this.refusalOf(request);
    if (refusal === undefined) server.serve(exchange, match.values);
    else exchange.fail(refusal);
  }

  private get waitMilliseconds(): number {
    return this.options.waitMilliseconds?.() ?? 0;
  }

  /** Before anything of the body is read: under overload a refusal has to be cheap. */
  private refusalOf(request: IncomingRequest): Failure | undefined {
    if (!this.shares.admits(this.waitMilliseconds, systemClock.monotonic(), () => askerOf(request)))
      return overloadRefusal;
    const coding = request.header('content-encoding');
    return coding === undefined || coding.toLowerCase() === 'identity' ? undefined : new Failure('contentCoded');
  }

  /**
   * Closes the connection, because two lengths disagree about where the next request on it begins. The answer is
   * delayed a moment: the HTTP library closes a connection on which data follows an unanswered request.
   */
  private refuseAmbiguous(request: IncomingRequest, response: HttpResponse, ambiguity: string): void {
    const profile = unknownPathProfile<Services>(request.path, this.unknown);
    const exchange = new Exchange(request, response, this.options.services, this.state, profile);
    exchange.closeConnection = true;
    exchange.detach();
    setImmediate(() => exchange.fail(new Failure('badRequest', { text: ambiguity })));
  }

  private requestId(native: HttpRequest): string {
    if (this.options.trustedProxyCount > 0) {
      const given = native.getHeader('x-request-id');
      if (given !== '' && isAcceptableRequestId(given)) return given;
    }
    return nextRequestId();
  }

  /** Preflights, methods that a path does not serve, and unknown paths. */
  private receiveUnmatched(request: IncomingRequest, response: HttpResponse): void {
    const { path, method } = request;
    const profile = unknownPathProfile<Services>(path, this.unknown);
    const exchange = new Exchange(request, response, this.options.services, this.state, profile);
    if (method === 'OPTIONS' && isOpenToOtherOrigins(path)) {
      exchange.send(preflightAnswer);
      return;
    }
    const methods = this.router.methodsOf(path);
    if (methods.length > 0) {
      exchange.send(failureAnswer(new Failure('methodNotAllowed'), 'api', { Allow: methods.join(', ') }));
    } else if (this.notFound !== undefined && !isForPrograms(path) && (method === 'GET' || method === 'HEAD')) {
      this.notFound.server.serve(exchange, [path.slice(1)]);
    } else {
      exchange.fail(new Failure('notFound'));
    }
  }
}

/**
 * What is not clear about where a request ends, or for whom it is, as a sentence; undefined for a proper one. Of two
 * lengths (RFC 9112 section 6.3) the HTTP library takes the first, an empty one it takes for none, and of any transfer
 * coding it believes that the body is in chunks; a proxy in front may see it otherwise, and the data in between would be
 * read as a request of its own. Two hosts (section 3.2) are refused only for writing methods: reads depend on no host,
 * and scanning all headers is expensive (docs/decisions/0023).
 */
function ambiguityOf(request: IncomingRequest): string | undefined {
  const { method, isCoded } = request;
  const length = request.header('content-length');
  if ((method === 'GET' || method === 'HEAD') && length === undefined && !isCoded) return undefined;
  const lengths = request.headerLines('content-length');
  const codings = request.headerLines('transfer-encoding');
  if (lengths + codings > 1) return 'The length of the body is given twice';
  if (lengths === 1 && length === undefined) return 'The length of the body is empty';
  if (codings === 1 && request.header('transfer-encoding')?.toLowerCase() !== 'chunked')
    return 'The body has a transfer coding other than chunked';
  return request.headerLines('host') > 1 ? 'The host is given twice' : undefined;
}

function rawTarget<Services>(route: RawRoute<Services>, meter: RequestMeter | undefined): Target<Services> {
  return { profile: rawProfile(route, meter), server: new RawServer(route) };
}
