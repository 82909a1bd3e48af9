/**
 * All GET requests of this server: policy, single flight, memory of failures, a bound per host, signature, redirects,
 * bounds.
 *
 * Invariants:
 * 1. A URL is fetched once at a time per signer; other callers get the same result.
 * 2. A redirect is treated as a new URL: policy, failures, host bound and signature apply anew; the total time does
 *    not.
 * 3. Nothing that another server does makes a promise of this file reject.
 */

import type { Caches } from '../../services/caches.ts';
import type { Dialect, Dialects } from '../signatures/dialects.ts';
import { requestTargetOf, signRequest } from '../signatures/sign-request.ts';
import type { RequestSigner } from '../signatures/types.ts';
import type { RemoteConnections } from './connections.ts';
import { FailureMemory } from './failure-memory.ts';
import { type FetchedResource, type FetchFailure, type FetchResult, fetchFailure } from './fetch-result.ts';
import { HostGate } from './host-gate.ts';
import { acceptedEncodings, inflate } from './inflate.ts';
import { parseRemoteUrl } from './remote-policy.ts';
import {
  type CollectedFile,
  type CollectedResponse,
  type CollectionFault,
  isPlain,
  ResponseCollector,
} from './response-collector.ts';
import { headerValue } from './response-headers.ts';
import { retryAfterMilliseconds } from './retry-after.ts';

export interface FetchRequest {
  readonly url: string;
  /** The `Accept` header. */
  readonly accept: string;
  /** The `Accept-Language` header; none when absent. */
  readonly acceptLanguage?: string | undefined;
  /** Bound of the body, compressed and decompressed. */
  readonly bytesMax: number;
  /** Whether a `Content-Type` is acceptable; all are when absent. */
  readonly isWantedType?: (contentType: string) => boolean;
  /** What the server said of the version that is here: it may answer 304, without a body. */
  readonly validators?: { readonly etag?: string | undefined; readonly lastModified?: string | undefined } | undefined;
  /** A file of a server of another name that may be dealt with: of the rules for hosts, the allow list does not apply. */
  readonly isBeside?: boolean;
  /** Signs every hop. Absent: unsigned. */
  readonly signer?: RequestSigner | undefined;
  /** A longer body is cut at `bytesMax` instead of refused. */
  readonly mayCut?: boolean;
  /**
   * Writes the body to this new file instead of returning it: for what is too large for memory. It is asked for without
   * compression, and refused with one. Whoever asks removes what a failure leaves of the file.
   */
  readonly file?: CollectedFile & { readonly totalMilliseconds: number };
  /**
   * Repeats a request that failed lately, because a user wants the result. A pause requested by the host still applies.
   */
  readonly fresh?: boolean | undefined;
  /**
   * Repeats a request that failed so long ago, of its URL or its host: somebody waits for it who shows that the host is
   * alive. A pause requested by the host still applies.
   */
  readonly patienceMilliseconds?: number | undefined;
}

type HostDialects = Pick<Dialects, 'of' | 'afterRefusal' | 'accepted' | 'worked'>;

export class Fetcher {
  readonly connections: RemoteConnections;
  private readonly inFlight = new Map<string, Promise<FetchResult>>();
  private readonly gate: HostGate;
  /** Long downloads do not delay what is small. */
  private readonly fileGate: HostGate;
  private readonly failedUrls: FailureMemory;
  private readonly failedHosts: FailureMemory;
  private readonly dialects: HostDialects | undefined;

  /** `dialects`: in which form to sign for each host; draft-cavage for all when absent. */
  constructor(connections: RemoteConnections, caches: Caches, dialects?: HostDialects) {
    const { limits } = connections;
    this.connections = connections;
    this.dialects = dialects;
    this.gate = new HostGate(limits.getsPerHostMax, limits.getsWaitingPerHostMax);
    this.fileGate = new HostGate(limits.filesPerHostMax, limits.filesWaitingPerHostMax);
    const bytesMax = Math.floor(caches.bytesMax('failedFetches') / 2);
    const urls = new FailureMemory(bytesMax);
    const hosts = new FailureMemory(bytesMax);
    this.failedUrls = urls;
    this.failedHosts = hosts;
    caches.measure('failedFetches', {
      get bytes() {
        return urls.bytes + hosts.bytes;
      },
    });
  }

  /** Gets a resource. Never rejects because of another server; it rejects for a signer's unusable key. */
  get(request: FetchRequest): Promise<FetchResult> {
    const target = parseRemoteUrl(request.url, this.connections.policy, request.isBeside);
    if (!target.ok) return Promise.resolve(fetchFailure('blocked', target.detail));
    const { etag = '', lastModified = '' } = request.validators ?? {};
    const key = `${request.signer?.keyId ?? ''} ${request.bytesMax} ${request.accept} ${etag} ${lastModified} ${target.url.href}`;
    const flight = request.file === undefined ? key : `${key} ${request.file.path}`;
    const running = this.inFlight.get(flight);
    if (running !== undefined) return running;
    if (this.inFlight.size >= this.connections.limits.getsMax) {
      return Promise.resolve(fetchFailure('busy', 'too many requests are under way'));
    }
    const result = this.getOnce(request, target.url, key).finally(() => this.inFlight.delete(flight));
    this.inFlight.set(flight, result);
    return result;
  }

  private async getOnce(request: FetchRequest, url: URL, key: string): Promise<FetchResult> {
    const known =
      request.fresh === true
        ? undefined
        : this.failedUrls.find(key, this.connections.monotonic(), request.patienceMilliseconds);
    if (known !== undefined) return known;
    const deadline = new AbortController();
    const total = request.file?.totalMilliseconds ?? this.connections.limits.totalTimeoutMilliseconds;
    const timer = setTimeout(() => deadline.abort(), total);
    try {
      const result = await this.follow(request, url, deadline.signal);
      return result.ok ? this.succeeded(key, result) : this.failed(key, result);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The request and its redirects (RFC 9110, section 15.4). */
  private async follow(request: FetchRequest, first: URL, deadline: AbortSignal): Promise<FetchResult> {
    let url = first;
    for (let hop = 0; hop <= this.connections.limits.redirectsMax; hop += 1) {
      const response = await this.ask(request, url, deadline);
      if (!('body' in response)) return response;
      if (!isRedirect(response.status)) return this.read(request, url, response);
      const location = headerValue(response.headers, 'location');
      const next = location === undefined ? null : URL.parse(location, url.href);
      if (next === null) return fetchFailure('invalid', 'a redirect without a usable location', response.status);
      const target = parseRemoteUrl(next.href, this.connections.policy, request.isBeside);
      if (!target.ok) return fetchFailure('blocked', `redirected to ${next.host}: ${target.detail}`);
      url = target.url;
    }
    return fetchFailure('invalid', 'too many redirects');
  }

  /** One hop, within the bound of its host. */
  private async ask(request: FetchRequest, url: URL, deadline: AbortSignal): Promise<CollectedResponse | FetchFailure> {
    const gate = request.file === undefined ? this.gate : this.fileGate;
    const entered = await gate.enter(url.host, deadline);
    if (entered !== 'entered') return fetchFailure('busy', `too many requests wait for ${url.host}`);
    try {
      // Checked only now: a request that ran while this one waited may have found the host dead.
      const known = this.failedHosts.find(url.host, this.connections.monotonic(), request.patienceMilliseconds);
      if (known !== undefined) return known;
      const response = await this.exchangeSigned(request, url, deadline);
      if (response.ok) return this.hostAnswered(url.host, response);
      // A long file that breaks off says nothing about what is small.
      if (request.file !== undefined && response.hasBegun && response.fault !== 'busy')
        return fetchFailure('unreachable', `${url.host}: ${response.fault}: ${response.detail}`);
      return this.hostFailed(url.host, response);
    } finally {
      gate.leave(url.host);
    }
  }

  /** A request whose signature is refused is repeated in the other forms that its host may take. */
  private async exchangeSigned(
    request: FetchRequest,
    url: URL,
    deadline: AbortSignal,
  ): Promise<CollectedResponse | CollectionFault> {
    const dialect = this.dialects?.of(url.host) ?? 'draftCavage';
    let response = await this.exchange(request, url, deadline, { dialect });
    if (request.signer === undefined || !response.ok) return response;
    if (response.status === 401 && url.search !== '')
      response = await this.exchange(request, url, deadline, { dialect, withoutQuery: true });
    if (!response.ok || (response.status !== 400 && response.status !== 401)) {
      if (response.ok && response.status < 300) this.dialects?.worked(url.host, dialect);
      return response;
    }
    const saysSo = response.headers['accept-signature'] !== undefined;
    const other = this.dialects?.afterRefusal(url.host, dialect, saysSo);
    if (other === undefined) return response;
    const second = await this.exchange(request, url, deadline, { dialect: other });
    if (!second.ok || second.status >= 400) return response;
    this.dialects?.accepted(url.host, other);
    return second;
  }

  private async exchange(
    request: FetchRequest,
    url: URL,
    deadline: AbortSignal,
    form: { readonly dialect: Dialect; readonly withoutQuery?: boolean },
  ): Promise<CollectedResponse | CollectionFault> {
    const { agent, userAgent } = this.connections;
    const headers: Record<string, string> =
      request.signer === undefined
        ? {}
        : await signRequest({
            method: 'GET',
            url,
            dateMilliseconds: this.connections.now(),
            keyId: request.signer.keyId,
            privateKey: request.signer.privateKey,
            ...form,
          });
    headers.accept = request.accept;
    const { etag, lastModified } = request.validators ?? {};
    if (etag !== undefined) headers['if-none-match'] = etag;
    if (lastModified !== undefined) headers['if-modified-since'] = lastModified;
    if (request.acceptLanguage !== undefined) headers['accept-language'] = request.acceptLanguage;
    headers['accept-encoding'] = request.file === undefined ? acceptedEncodings : 'identity';
    headers['user-agent'] = userAgent;
    const collector = new ResponseCollector(request.bytesMax, this.connections.limits.discardedBytesMax, request.file);
    const expire = () => collector.expire();
    if (deadline.aborted) expire();
    deadline.addEventListener('abort', expire, { once: true });
    agent.dispatch({ origin: url.origin, path: requestTargetOf(url), method: 'GET', headers }, collector);
    try {
      return await collector.result;
    } finally {
      deadline.removeEventListener('abort', expire);
    }
  }

  private hostAnswered(host: string, response: CollectedResponse): CollectedResponse | FetchFailure {
    if (response.status !== 429 && response.status !== 503) {
      this.failedHosts.forget(host);
      return response;
    }
    const { limits } = this.connections;
    const asked = retryAfterMilliseconds(response.headers, this.connections.now(), limits.throttleMillisecondsMax);
    const wait = asked ?? limits.throttleMilliseconds;
    const failure = fetchFailure('throttled', `${host} asks for a pause`, response.status, wait);
    this.failedHosts.keep(host, failure, wait, this.connections.monotonic());
    return failure;
  }

  private hostFailed(host: string, { fault, detail }: CollectionFault): FetchFailure {
    if (fault === 'busy') return fetchFailure('busy', detail);
    const kind = fault === 'addressBlocked' ? 'blocked' : 'unreachable';
    return this.remember(this.failedHosts, host, fetchFailure(kind, `${host}: ${fault}: ${detail}`));
  }

  /** The final response's body, or what its status means. */
  private async read(request: FetchRequest, url: URL, response: CollectedResponse): Promise<FetchResult> {
    const { status, headers } = response;
    if (status === 304 && request.validators !== undefined)
      return { ok: true, status, url: url.href, headers, contentType: '', body: Buffer.alloc(0), cut: false };
    if (status < 200 || status >= 300) return statusFailure(status, url.host);
    const contentType = headerValue(headers, 'content-type') ?? '';
    if (request.isWantedType?.(contentType) === false) {
      return fetchFailure('invalid', `unwanted content type ${JSON.stringify(contentType.slice(0, 80))}`, status);
    }
    if (response.cut && request.mayCut !== true) return fetchFailure('invalid', 'the body is too large', status);
    const encoding = headerValue(headers, 'content-encoding') ?? '';
    if (request.file !== undefined) {
      if (!isPlain(encoding)) return fetchFailure('invalid', 'a compressed file', status);
      return { ok: true, status, url: url.href, headers, contentType, body: response.body, cut: false };
    }
    const inflated = await inflate(response.body, encoding, request.bytesMax, response.cut);
    if (!inflated.ok) return fetchFailure('invalid', inflated.detail, status);
    if (inflated.cut && request.mayCut !== true) return fetchFailure('invalid', 'the body is too large', status);
    return { ok: true, status, url: url.href, headers, contentType, body: inflated.body, cut: inflated.cut };
  }

  private succeeded(key: string, resource: FetchedResource): FetchedResource {
    this.failedUrls.forget(key);
    return resource;
  }

  /** Remembers failures of this URL; those of its host are remembered already, those of our own bounds never. */
  private failed(key: string, failure: FetchFailure): FetchFailure {
    if (failure.retryAfterMilliseconds !== undefined || failure.kind === 'busy') return failure;
    if (failure.kind !== 'gone' && failure.kind !== 'notFound') return this.remember(this.failedUrls, key, failure);
    const wait = this.connections.limits.goneMilliseconds;
    this.failedUrls.keep(key, failure, wait, this.connections.monotonic());
    return { ...failure, retryAfterMilliseconds: wait };
  }

  private remember(memory: FailureMemory, key: string, failure: FetchFailure): FetchFailure {
    const { failureMillisecondsMin, failureMillisecondsMax } = this.connections.limits;
    const now = this.connections.monotonic();
    const wait = memory.keepLonger(key, failure, failureMillisecondsMin, failureMillisecondsMax, now);
    return { ...failure, retryAfterMilliseconds: wait };
  }
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

function statusFailure(status: number, host: string): FetchFailure {
  const detail = `${host} answered ${status}`;
  if (status === 410) return fetchFailure('gone', detail, status);
  if (status === 404) return fetchFailure('notFound', detail, status);
  if (status >= 500) return fetchFailure('unreachable', detail, status);
  return fetchFailure(status >= 400 ? 'refused' : 'invalid', detail, status);
}
