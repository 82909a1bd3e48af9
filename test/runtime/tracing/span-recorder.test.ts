/** Spans as a collector wants them, by the JSON mapping of OTLP; and the ids by which they find each other. */
import { expect, onTestFinished, test } from 'vitest';
import { causeOf, causeWithin, contextOfCause, requestOfCause } from '../../../src/runtime/tracing/cause.ts';
import { batchSpansMax, type SpanBatch, SpanRecorder } from '../../../src/runtime/tracing/span-recorder.ts';
import { attributesOfExchange, type SpanOfStep } from '../../../src/runtime/tracing/trace.ts';
import { parseTraceparent } from '../../../src/runtime/tracing/traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const cause = causeOf('f00d-1', { traceId, spanId });

test.each([
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', true],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', false],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03', true],
  ['cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', true],
  ['cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future-brings', true],
])('%s is a traceparent', (header, isSampled) => {
  expect(parseTraceparent(header)).toEqual({ traceId, spanId, isSampled });
});

test.each([
  '',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
  '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
  '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
  'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  '01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.more',
  ' 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
])('"%s" is none', (header) => {
  expect(parseTraceparent(header)).toBeUndefined();
});

test('a cause names request, trace and span; that of a step has another span, and is as long', () => {
  expect([requestOfCause(cause), contextOfCause(cause)]).toEqual(['f00d-1', { traceId, spanId }]);
  const within = causeWithin(cause);
  expect([requestOfCause(within), contextOfCause(within)]).toEqual([
    'f00d-1',
    { traceId, spanId: expect.stringMatching(/^[\da-f]{16}$/) },
  ]);
  expect(contextOfCause(within)!.spanId).not.toBe(spanId);
  const many = new Set(Array.from({ length: 2_000 }, () => causeWithin(cause)));
  expect([many.size, new Set(Array.from(many, ({ length }) => length))]).toEqual([2_000, new Set([cause.length])]);
});

test.each(['f00d-1', 'f00d-1.', 'f00d-1.zz-zz', ''])('"%s" has no spans', (without) => {
  expect([contextOfCause(without), causeWithin(without)]).toEqual([undefined, without]);
});

function recorder(now: () => number = Date.now) {
  const batches: SpanBatch[] = [];
  let monotonic = 1_000.5;
  const made = new SpanRecorder({
    thread: 'gateway 0',
    clock: { now, monotonic: () => monotonic },
    send: (batch) => void batches.push(batch),
  });
  onTestFinished(() => made.flush());
  const pass = (milliseconds: number) => {
    monotonic += milliseconds;
  };
  const spans = () => batches.flatMap(({ json }) => JSON.parse(`[${json}]`) as Record<string, unknown>[]);
  return { made, batches, spans, pass };
}

const turn: SpanOfStep = { name: 'turn account.publish', kind: 'internal', beganAt: 1_000.5 };

test('a request, and a step of it that failed', () => {
  // A wall clock far from that of the machine is believed.
  const { made, spans, pass } = recorder(() => 1_700_000_000_000);
  const own = causeWithin(cause);
  pass(0.25);
  made.ended(cause, { ...turn, own, attributes: { 'error.type': 'notFound' } });
  made.ended(cause, {
    ...{ name: 'GET /api/v1/statuses/:id', kind: 'server', beganAt: 1_000.5, parent: '00f067aa0ba902b7' },
    attributes: { 'http.request.method': 'GET', 'http.response.status_code': 404, 'http.route': undefined },
  });
  made.flush();
  const thread = { key: 'thread.name', value: { stringValue: 'gateway 0' } };
  const times = { startTimeUnixNano: '1700000000000000000', endTimeUnixNano: '1700000000000250000' };
  expect(spans()).toEqual([
    {
      ...{ traceId, spanId: contextOfCause(own)!.spanId, parentSpanId: spanId, name: turn.name, kind: 1, ...times },
      attributes: [thread, { key: 'error.type', value: { stringValue: 'notFound' } }],
      status: { code: 2 },
    },
    {
      ...{ traceId, spanId, parentSpanId: '00f067aa0ba902b7', name: 'GET /api/v1/statuses/:id', kind: 2, ...times },
      attributes: [
        thread,
        { key: 'http.request.method', value: { stringValue: 'GET' } },
        { key: 'http.response.status_code', value: { intValue: '404' } },
      ],
    },
  ]);
});

test('what a request causes whose spans nobody wants is not told', () => {
  const { made, batches } = recorder();
  made.ended('f00d-1', turn);
  made.flush();
  expect(batches).toEqual([]);
});

test('spans leave when there are many, or when they are asked for', () => {
  const { made, batches } = recorder();
  for (let count = 0; count <= batchSpansMax; count += 1) made.ended(cause, turn);
  expect(batches.map(({ spans }) => spans)).toEqual([batchSpansMax]);
  made.flush();
  expect(batches.map(({ spans }) => spans)).toEqual([batchSpansMax, 1]);
});

test.each([
  ['remote.example', { status: 202 }, { 'server.address': 'remote.example', 'http.response.status_code': 202 }],
  [
    'remote.example:8443',
    { status: 410 },
    { 'server.address': 'remote.example', 'server.port': 8443, 'http.response.status_code': 410, 'error.type': '410' },
  ],
  ['remote.example', { fault: 'timeout' }, { 'server.address': 'remote.example', 'error.type': 'timeout' }],
  ['remote.example', {}, { 'server.address': 'remote.example', 'error.type': 'unanswered' }],
])('a request to %s that came to %o', (host, outcome, attributes) => {
  const told = Object.entries(attributesOfExchange(host, outcome)).filter(([, value]) => value !== undefined);
  expect(Object.fromEntries(told)).toEqual({ 'http.request.method': 'POST', ...attributes });
});
