/**
 * The cause of work is the id of the request that began it, and where that has spans, the trace and the span that the work
 * belongs to: `<id of the request>.<id of the trace>-<id of the span>`, in hexadecimal digits. Each step that has a span
 * puts its own in the place of the one above it: no more is stored for a tree than for a list.
 */
import { randomUUID } from 'node:crypto';

export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
}

const traceIdDigits = 32;
const spanIdDigits = 16;
const contextLength = traceIdDigits + 1 + spanIdDigits;

export function causeOf(requestId: string, { traceId, spanId }: SpanContext): string {
  return `${requestId}.${traceId}-${spanId}`;
}

/** The id of the request. */
export function requestOfCause(cause: string): string {
  const dot = cause.lastIndexOf('.');
  return dot < 0 ? cause : cause.slice(0, dot);
}

/** Undefined where the request has no spans. */
export function contextOfCause(cause: string): SpanContext | undefined {
  const dot = cause.lastIndexOf('.');
  if (dot < 0 || cause.length !== dot + 1 + contextLength) return undefined;
  return { traceId: cause.slice(dot + 1, dot + 1 + traceIdDigits), spanId: cause.slice(-spanIdDigits) };
}

/** The same request and trace, and another span. Unchanged where the request has no spans. */
export function causeWithin(cause: string): string {
  return contextOfCause(cause) === undefined ? cause : cause.slice(0, -spanIdDigits) + newSpanId();
}

/** All of its digits that samplers look at are random (W3C Trace Context, level 2, section 3.2.2.3). */
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

/** The digits of a UUID that are random: of these the runtime keeps some in store, unlike of other random bytes. */
export function newSpanId(): string {
  const uuid = randomUUID();
  return uuid.slice(0, spanIdDigits / 2) + uuid.slice(-spanIdDigits / 2);
}
