/** The result of a GET, as a closed type. Errors of remote servers are values and never thrown. */
import type { ResponseHeaders } from './response-headers.ts';

export type FetchFailureKind =
  /** 410. */
  | 'gone'
  /** 404. */
  | 'notFound'
  /** 401, 403 and every other 4xx: repeating the request does not change the response. */
  | 'refused'
  /** 429 or 503, now or lately: the host requests a pause. */
  | 'throttled'
  /** No response, or a 5xx. */
  | 'unreachable'
  /** A response that is not what was requested: type, size, form, identity, too many redirects. */
  | 'invalid'
  /** Forbidden by policy: scheme, port, host, address. Nothing was sent. */
  | 'blocked'
  /** A bound of this server: too many requests are running or waiting. Nothing was sent. */
  | 'busy';

export interface FetchFailure {
  readonly ok: false;
  readonly kind: FetchFailureKind;
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** For the log; contains no secret and no body. */
  readonly detail: string;
  /**
   * The fetcher repeats the request after this at the earliest, so the caller should wait as well. Undefined: not
   * remembered.
   */
  readonly retryAfterMilliseconds: number | undefined;
}

export interface FetchedResource {
  readonly ok: true;
  /** A 2xx status; 304 where the request had validators. */
  readonly status: number;
  /** The final URL, after redirects, without a fragment. */
  readonly url: string;
  readonly headers: ResponseHeaders;
  /** As sent, or empty. */
  readonly contentType: string;
  /** Decompressed; shared between callers of the same URL, so it must not be modified. */
  readonly body: Buffer;
  /** The body was longer than requested and is cut; only where that was allowed. */
  readonly cut: boolean;
}

export type FetchResult = FetchedResource | FetchFailure;

/** Whether the same request may succeed later. */
export function isOfTheMoment({ kind }: FetchFailure): boolean {
  return kind === 'unreachable' || kind === 'throttled' || kind === 'busy';
}

export function fetchFailure(
  kind: FetchFailureKind,
  detail: string,
  status?: number,
  retryAfterMilliseconds?: number,
): FetchFailure {
  return { ok: false, kind, status, detail, retryAfterMilliseconds };
}
