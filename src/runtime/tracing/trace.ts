/**
 * The steps of a traced request, on whichever thread and however much later: what the log and the collector of traces are
 * told of them. What a request causes names it by its cause (cause.ts), which travels through messages, timers, effects and
 * deliveries.
 */
import { Failure } from '../errors.ts';
import { requestOfCause } from './cause.ts';

export interface Trace {
  /** Decides whether a request is traced; undefined where it is not. */
  request(request: IncomingTrace): TracedRequest | undefined;
  /** The cause of what a step causes in turn: it names the span of the step, where there are spans. */
  within(cause: string): string;
  step(cause: string, step: Step): void;
}

export interface IncomingTrace {
  readonly id: string;
  /** What a trusted proxy says of the trace that the request belongs to. */
  readonly traceparent: string | undefined;
}

export interface TracedRequest {
  /** Of what it causes. */
  readonly cause: string;
  /** The id of the span that it belongs to, of a proxy. */
  readonly parent?: string;
}

/** The log has had its lines longer than there are spans: some steps are one of the two only. */
export interface Step {
  readonly line?: { readonly text: string; readonly details: Readonly<Record<string, unknown>> };
  readonly span?: SpanOfStep;
}

/**
 * What leaves this machine: nothing in it may be secret, or tell of a person. So it has no paths, only patterns of them, no
 * ids of accounts and statuses, no text of an error; the attributes are a closed list.
 */
export interface SpanOfStep {
  /** The same for all steps of a kind: `turn account.publish`. */
  readonly name: string;
  /** `server`: the request itself. `client`: it waits for another thread or machine. */
  readonly kind: 'server' | 'internal' | 'client';
  /** By the monotonic clock; it ends now. */
  readonly beganAt: number;
  /** What `within` has given for this step, if anything was caused by it. */
  readonly own?: string | undefined;
  /** Of the request itself: the span of a proxy. */
  readonly parent?: string | undefined;
  readonly attributes?: SpanAttributes;
}

/** By the semantic conventions of OpenTelemetry. A span with `error.type` has failed. */
export interface SpanAttributes {
  readonly 'http.request.method'?: string;
  readonly 'http.route'?: string | undefined;
  readonly 'http.response.status_code'?: number | undefined;
  readonly 'server.address'?: string;
  readonly 'server.port'?: number | undefined;
  readonly 'error.type'?: string | undefined;
  /** The X-Request-Id, by which the log knows the request. */
  readonly 'murmuration.request_id'?: string;
}

export function errorTypeOf(error: unknown): string {
  if (error instanceof Failure) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}

/** Of a request to another machine. `fault`: why there was no answer. */
export function attributesOfExchange(
  host: string,
  { status, fault }: { readonly status?: number | undefined; readonly fault?: string | undefined },
): SpanAttributes {
  const [, address = host, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  return {
    'http.request.method': 'POST',
    'server.address': address,
    'server.port': port === undefined ? undefined : Number(port),
    'http.response.status_code': status,
    'error.type': status === undefined ? (fault ?? 'unanswered') : status >= 400 ? String(status) : undefined,
  };
}

/** Tells the log only: the cause is the id of the request, except of work that was stored while there were spans. */
export function traceOfLog(write: (cause: string, line: NonNullable<Step['line']>) => void): Trace {
  return {
    request: ({ id }) => ({ cause: id }),
    within: (cause) => cause,
    step(cause, { line }) {
      if (line !== undefined) write(requestOfCause(cause), line);
    },
  };
}
