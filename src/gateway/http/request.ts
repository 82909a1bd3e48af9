/**
 * One incoming request. The native request object is invalid once the callback returns, so it is read directly before
 * (cheap) and copied by `detach` when the answer comes later.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { addressText, forwardedAddress } from './address.ts';
import { simplestPath } from './paths.ts';

export type RequestMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'OTHER';

export interface RequestSettings {
  /** Scheme and host of the public origin, without a trailing slash. */
  readonly publicOrigin: string;
  /** How many of the operator's proxies are in front; 0 ignores all X-Forwarded headers. */
  readonly trustedProxyCount: number;
}

const schemePattern = /^https?$/;
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/;

const noNames: ReadonlySet<string> = new Set();

export class IncomingRequest {
  readonly method: RequestMethod;
  /** Without the query, in its simplest form. */
  readonly path: string;
  /** The part after the question mark, exactly as sent; empty when there is none. */
  readonly query: string;
  /** Identifies this request in the log and in the answer. */
  readonly id: string;
  /** It has a transfer coding, so that the end of its body is a matter of opinion (docs/decisions/0011). */
  readonly isCoded: boolean;
  /** Names of the parameters that the endpoint reads. */
  parameterNames: ReadonlySet<string> = noNames;
  /** The client has left before its answer: nobody waits for it. */
  hasLeft = false;
  private readonly sentPath: string;
  private readonly hasQuery: boolean;
  private readonly settings: RequestSettings;
  private readonly response: HttpResponse;
  private native: HttpRequest | undefined;
  /** Names and values alternating, in the order sent. */
  private headerCopy: string[] | undefined;
  private address: string | undefined;

  constructor(
    method: RequestMethod,
    native: HttpRequest,
    response: HttpResponse,
    settings: RequestSettings,
    id: string,
  ) {
    this.method = method;
    this.sentPath = native.getUrl();
    this.path = simplestPath(this.sentPath);
    // Undefined without a question mark, contrary to its type.
    const query: string | undefined = native.getQuery();
    this.query = query ?? '';
    this.hasQuery = query !== undefined;
    this.isCoded = native.getHeader('transfer-encoding') !== '';
    this.id = id;
    this.settings = settings;
    this.response = response;
    this.native = native;
  }

  /** The request target exactly as sent, as signatures cover it. */
  get url(): string {
    return this.hasQuery ? `${this.sentPath}?${this.query}` : this.sentPath;
  }

  /** The first value of a header by its lower-case name; undefined when absent or empty. */
  header(name: string): string | undefined {
    if (this.native !== undefined) return this.native.getHeader(name) || undefined;
    const copy = this.copiedHeaders();
    for (let index = 0; index < copy.length; index += 2) {
      if (copy[index] === name) return copy[index + 1] || undefined;
    }
    return undefined;
  }

  /** In how many lines a header came. */
  headerLines(name: string): number {
    const copy = this.copiedHeaders();
    let lines = 0;
    for (let index = 0; index < copy.length; index += 2) if (copy[index] === name) lines += 1;
    return lines;
  }

  /** All values of a repeated header, joined by commas as in RFC 9110 section 5.3. */
  joinedHeader(name: string): string | undefined {
    const copy = this.copiedHeaders();
    let joined: string | undefined;
    for (let index = 0; index < copy.length; index += 2) {
      if (copy[index] === name) joined = joined === undefined ? copy[index + 1]! : `${joined}, ${copy[index + 1]}`;
    }
    return joined;
  }

  /** The client's address, as reported by the trusted proxies where there are any. */
  get ip(): string {
    this.address ??= this.findAddress();
    return this.address;
  }

  /**
   * Scheme and host that the client used, for links back to it; ids never depend on it. The public origin, unless a
   * trusted proxy reports another.
   */
  get origin(): string {
    const { publicOrigin, trustedProxyCount } = this.settings;
    if (trustedProxyCount === 0) return publicOrigin;
    const [scheme, host] = publicOrigin.split('://');
    return `${this.forwarded('x-forwarded-proto', schemePattern) ?? scheme}://${this.forwarded('x-forwarded-host', hostPattern) ?? host}`;
  }

  /** What a trusted proxy says of the trace that the request belongs to; there is none where two are sent. */
  get traceparent(): string | undefined {
    const isHeard = this.settings.trustedProxyCount > 0 && this.headerLines('traceparent') === 1;
    return isHeard ? this.header('traceparent') : undefined;
  }

  /** Copies what the native request holds; must run before the callback returns. */
  detach(): void {
    this.address ??= this.findAddress();
    this.copiedHeaders();
    this.native = undefined;
  }

  private findAddress(): string {
    const proxies = this.settings.trustedProxyCount;
    // A proxy may append its entry as a second header line, so the first line alone could be the client's invention.
    const forwarded = proxies > 0 ? this.joinedHeader('x-forwarded-for') : undefined;
    const reported = forwarded === undefined ? undefined : forwardedAddress(forwarded, proxies);
    return reported ?? addressText(this.response.getRemoteAddress());
  }

  private forwarded(name: string, pattern: RegExp): string | undefined {
    const entries = this.joinedHeader(name)?.toLowerCase().split(',');
    // Everything before the entries of the trusted proxies comes from the client.
    const entry = (entries?.at(-this.settings.trustedProxyCount) ?? entries?.[0])?.trim();
    return entry !== undefined && pattern.test(entry) ? entry : undefined;
  }

  private copiedHeaders(): string[] {
    if (this.headerCopy !== undefined) return this.headerCopy;
    const copy: string[] = [];
    this.native?.forEach((name, value) => {
      copy.push(name, value);
    });
    this.headerCopy = copy;
    return copy;
  }
}
