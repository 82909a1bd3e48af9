/** The result of a GET, as a closed type. Errors of remote servers are values and never thrown. */
import type { ResponseHeaders } from './response-headers.ts';

export type FetchFailureKind =
  /** 410. */
  | 'gone'
  /** 404. */
  | 'notFound'
  /** 401, 403 and every other 4xx: this answer will not change by repeating. */
  | 'refused'
  /** 429 or 503, now or lately: the host wants a pause. */
  | 'throttled'
  /** No answer at all, or a 5xx. */
  | 'unreachable'
  /** An answer that is not what was asked for: type, size, form, identity, too many redirects. */
  | 'invalid'
  /** Our own policy: scheme, port, host, address. Nothing was sent. */
  | 'blocked'
  /** Our own bounds: too many requests are under way or waiting. Nothing was sent. */
  | 'busy';

export interface FetchFailure {
  readonly ok: false;
  readonly kind: FetchFailureKind;
  /** The HTTP status where there was an answer. */
  readonly status: number | undefined;
  /** For the log; holds no secret and no body. */
  readonly detail: string;
  /** Before this the fetcher will not ask again, so neither should the caller. Undefined: nothing is remembered. */
  readonly retryAfterMilliseconds: number | undefined;
}

export interface FetchedResource {
  readonly ok: true;
  /** A 2xx status. */
  readonly status: number;
  /** Where the body came from, after redirects, without a fragment. */
  readonly url: string;
  readonly headers: ResponseHeaders;
  /** As sent, or empty. */
  readonly contentType: string;
  /** Unpacked; shared between the callers of the same URL, so not to be written to. */
  readonly body: Buffer;
  /** The body was longer than asked for and ends there; only where that was allowed. */
  readonly cut: boolean;
}

export type FetchResult = FetchedResource | FetchFailure;

export function fetchFailure(
  kind: FetchFailureKind,
  detail: string,
  status?: number,
  retryAfterMilliseconds?: number,
): FetchFailure {
  return { ok: false, kind, status, detail, retryAfterMilliseconds };
}
