/** What a thread tells of traced requests: to the log, to a collector of traces, or to both. */

import type { Options } from '../options/table.ts';
import { systemClock } from '../runtime/threads/clock.ts';
import type { Thread } from '../runtime/threads/thread.ts';
import { causeOf, causeWithin, newSpanId, newTraceId } from '../runtime/tracing/cause.ts';
import { SpanRecorder } from '../runtime/tracing/span-recorder.ts';
import type { IncomingTrace, Trace, TracedRequest } from '../runtime/tracing/trace.ts';
import { parseTraceparent } from '../runtime/tracing/traceparent.ts';
import { createLogTrace } from './log.ts';
import type { Shared } from './shared.ts';

/** Undefined where requests are not traced. */
export function createTrace(thread: Thread<Shared>): Trace | undefined {
  const title = `${thread.name.role} ${thread.name.index}`;
  const { options } = thread.shared;
  const log = createLogTrace(thread.shared, title);
  if (options.otlpEndpoint === undefined || !thread.shared.listening) return log;
  const recorder = new SpanRecorder({ thread: title, clock: systemClock, send: (batch) => thread.sendSpans(batch) });
  thread.beforeStopped(() => recorder.flush());
  return traceOfSpans(recorder, options, log);
}

type Sampling = Pick<Options, 'otlpRatio' | 'otlpTraceparent'>;

export function traceOfSpans(recorder: Pick<SpanRecorder, 'ended'>, sampling: Sampling, log: Trace | undefined): Trace {
  return {
    request: (request) => spannedRequest(request, sampling) ?? log?.request(request),
    within: causeWithin,
    step(cause, { line, span }) {
      if (line !== undefined) log?.step(cause, { line });
      if (span !== undefined) recorder.ended(cause, span);
    },
  };
}

/** Undefined where no spans are made of it. A proxy that may decide, decides. */
function spannedRequest(request: IncomingTrace, { otlpRatio, otlpTraceparent }: Sampling): TracedRequest | undefined {
  const { id } = request;
  const given = otlpTraceparent ? parseTraceparent(request.traceparent ?? '') : undefined;
  const spanId = newSpanId();
  if (given !== undefined) {
    const { traceId, spanId: parent, isSampled } = given;
    return isSampled ? { cause: causeOf(id, { traceId, spanId }), parent } : undefined;
  }
  const traceId = newTraceId();
  return isWithin(otlpRatio, traceId) ? { cause: causeOf(id, { traceId, spanId }) } : undefined;
}

/** By the digits of the id that are random in every trace (W3C Trace Context, level 2, section 3.2.2.3). */
function isWithin(ratio: number, traceId: string): boolean {
  return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
}
