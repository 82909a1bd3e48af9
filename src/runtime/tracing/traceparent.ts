/** The header `traceparent` (W3C Trace Context, level 2, section 3.2). */
import type { SpanContext } from './cause.ts';

export interface Traceparent extends SpanContext {
  readonly isSampled: boolean;
}

const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Undefined for what is not valid, which is to be treated as if it were not there. */
export function parseTraceparent(header: string): Traceparent | undefined {
  const [, version, traceId, spanId, flags, rest] = pattern.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || version === 'ff') return undefined;
  // Later versions may say more behind the flags.
  if (version === '00' && rest !== undefined) return undefined;
  if (!/[^0]/.test(traceId) || !/[^0]/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 };
}
