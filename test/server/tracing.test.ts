/** Which requests have spans, and how those of what they cause hang together. */
import { describe, expect, test } from 'vitest';
import { empty } from '../../src/gateway/http/answers.ts';
import { rawRoute } from '../../src/gateway/route.ts';
import { contextOfCause } from '../../src/runtime/tracing/cause.ts';
import type { SpanOfStep } from '../../src/runtime/tracing/trace.ts';
import { traceOfLog } from '../../src/runtime/tracing/trace.ts';
import { traceOfSpans } from '../../src/server/tracing.ts';
import { startServer } from '../gateway/http/support.ts';
import { act, Fetch, hear, Player, playerOf } from '../runtime/support/players.ts';
import { Rig } from '../runtime/support/rig.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';
const sampled = { traceparent: `00-${traceId}-${parent}-01` };
const unsampled = { traceparent: `00-${traceId}-${parent}-00` };

interface Told {
  readonly cause: string;
  readonly span: SpanOfStep;
}

function traceFor(otlpRatio: number, { otlpTraceparent = false, logs = false } = {}) {
  const spans: Told[] = [];
  const lines: string[] = [];
  const log = logs ? traceOfLog((cause, { text }) => void lines.push(`${cause} ${text}`)) : undefined;
  const recorder = {
    ended(cause: string, span: SpanOfStep) {
      if (contextOfCause(cause) !== undefined) spans.push({ cause, span });
    },
  };
  return { trace: traceOfSpans(recorder, { otlpRatio, otlpTraceparent }, log), spans, lines };
}

describe('a request', () => {
  const route = rawRoute({ method: 'GET', path: '/things/:name', handler: () => empty() });

  async function spansOf(headers: Record<string, string>, trustedProxyCount: number, traced = traceFor(0)) {
    const { fetch } = startServer({ rawRoutes: [route], trustedProxyCount, trace: traced.trace });
    const { headers: answered } = await fetch('/things/of-mine?token=secret', { headers });
    return { ...traced, id: answered.get('x-request-id')! };
  }

  test('belongs to the trace of a trusted proxy, which decides', async () => {
    const { spans, id } = await spansOf(sampled, 1, traceFor(0, { otlpTraceparent: true }));
    expect(spans).toEqual([
      {
        cause: expect.stringMatching(new RegExp(`^${id}\\.${traceId}-[\\da-f]{16}$`)),
        span: {
          name: 'GET /things/:name',
          kind: 'server',
          beganAt: expect.any(Number),
          parent,
          attributes: {
            'http.request.method': 'GET',
            'http.route': '/things/:name',
            'http.response.status_code': 200,
            'error.type': undefined,
            'murmuration.request_id': id,
          },
        },
      },
    ]);
    expect((await spansOf(unsampled, 1, traceFor(1, { otlpTraceparent: true }))).spans).toEqual([]);
  });

  test.each([
    ['a stranger', sampled, 0, true],
    ['a proxy that does not trace, and passes on what a stranger says', sampled, 1, false],
    ['a proxy that says something else', { traceparent: `${sampled.traceparent}-more` }, 1, true],
  ])('has a trace of its own, whatever %s says', async (_who, headers, proxies, otlpTraceparent) => {
    expect((await spansOf(headers, proxies, traceFor(0, { otlpTraceparent }))).spans).toEqual([]);
    const { spans } = await spansOf(headers, proxies, traceFor(1, { otlpTraceparent }));
    expect(spans.map(({ span }) => span.parent)).toEqual([undefined]);
    expect(contextOfCause(spans[0]!.cause)!.traceId).not.toBe(traceId);
  });

  test('is in the log also where it has no spans', async () => {
    const { lines, spans, id } = await spansOf({}, 0, traceFor(0, { logs: true }));
    expect([lines, spans]).toEqual([[`${id} request GET /things/of-mine`], []]);
  });

  test('is in the log by its id, where it has spans', async () => {
    const { lines, spans, id } = await spansOf({}, 0, traceFor(1, { logs: true }));
    expect([lines, spans.length]).toEqual([[`${id} request GET /things/of-mine`], 1]);
  });

  test('is in the log by its id, also what was stored while there were spans', () => {
    const lines: string[] = [];
    const line = { text: 'turn account.publish', details: {} };
    const { cause } = traceFor(1).trace.request({ id: 'f00d-1', traceparent: undefined })!;
    traceOfLog((of, { text }) => void lines.push(`${of} ${text}`)).step(cause, { line });
    expect(lines).toEqual(['f00d-1 turn account.publish']);
  });

  test('is named by its method where nothing is declared', async () => {
    const traced = traceFor(1);
    const { fetch } = startServer({ trace: traced.trace });
    await fetch('/private/path');
    expect(traced.spans[0]!.span).toMatchObject({ name: 'GET', attributes: { 'http.response.status_code': 404 } });
    expect(JSON.stringify(traced.spans)).not.toContain('private');
  });

  test('is traced as often as wished', () => {
    const { trace } = traceFor(0.25);
    const requests = Array.from({ length: 4_000 }, () => trace.request({ id: 'f00d', traceparent: undefined }));
    const share = requests.filter((request) => request !== undefined).length / requests.length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.3);
  });
});

describe('what a request causes', () => {
  const [alice, bob] = [playerOf(0, 2), playerOf(1, 2)];

  function tree(traced: ReturnType<typeof traceFor>): string[] {
    const rig = new Rig(2);
    rig.scripts.define('post', (turn) => {
      turn.tell(hear(bob, 'mentioned'));
      turn.effect(Fetch, { what: 'a page' }, Player.answered);
    });
    for (const script of ['mentioned', 'answered']) rig.scripts.define(script, () => undefined);
    for (const seat of rig.seats) {
      seat.trace = traced.trace;
      seat.restart();
    }
    rig.settle();
    const { cause } = traced.trace.request({ id: 'f00d', traceparent: undefined }) ?? {};
    rig.call(act(alice, 'post'), 'account:alice', undefined, cause);
    rig.settle();
    const names = new Map(traced.spans.map(({ span }) => [span.own && contextOfCause(span.own)!.spanId, span.name]));
    const asked = rig.seats.flatMap(({ effects }) => effects.map((effect) => ['effect', effect.cause] as const));
    return [...traced.spans.map(({ cause: of, span }) => [span.name, of] as const), ...asked].map(([name, of]) => {
      const context = of === undefined ? undefined : contextOfCause(of);
      return `${name} of ${context === undefined ? 'nothing' : (names.get(context.spanId) ?? 'the request')}`;
    });
  }

  test('is a tree: commits, messages and effects belong to the turn that they come from', () => {
    expect(tree(traceFor(1)).toSorted()).toEqual([
      'commit of turn player.act',
      'commit of turn player.hear',
      'effect of turn player.act',
      'turn player.act of the request',
      'turn player.hear of turn player.act',
    ]);
  });

  test('is nothing where the request has no spans', () => {
    expect(tree(traceFor(0))).toEqual(['effect of nothing']);
  });
});
