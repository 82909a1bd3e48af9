/** What the log and a collector of traces get of a post that is delivered to another server. */
import { expect } from 'vitest';
import { attributesOf, type ReceivedSpan, type TraceCollector } from '../support/trace-collector.ts';
import { until } from '../support/until.ts';
import type { ServerUser, Status } from './server-user.ts';

/** The secret header `x-key` for the collector. */
export const collectorKey = 'key-of-the-collector';

/** `author` has a server that logs each step; `reader` follows them from another one. */
export async function assertLogged(author: ServerUser, reader: ServerUser): Promise<void> {
  const answer = await author.fetch('POST', 'statuses', { status: `${reader.handle} where do you read this?` });
  const { uri } = (await answer.json()) as Status;
  await reader.receives(uri);
  const id = answer.headers.get('x-request-id')!;
  const steps = () =>
    author.server
      .output()
      .split('\n')
      .filter((line) => line.includes(id))
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
  // Each thread writes its lines when it comes to it.
  const whole = [
    'request POST /api/v1/statuses',
    'turn account.publish',
    'turn partition.deliver',
    `delivery create to ${reader.server.host}`,
  ];
  await until(() => whole.every((step) => steps().includes(step)));
}

/** `author` has a server that tells everything to this collector; `reader` follows them from another one. */
export async function assertTraced(author: ServerUser, reader: ServerUser, collector: TraceCollector): Promise<void> {
  const status = `${reader.handle} what nobody else is to read`;
  const answer = await author.fetch('POST', 'statuses', { status });
  const { id, uri, account } = (await answer.json()) as Status;
  await reader.receives(uri);
  const requestId = answer.headers.get('x-request-id')!;
  const published = 'POST /api/v1/statuses > call > turn account.publish';
  const whole = [
    'POST /api/v1/statuses',
    'POST /api/v1/statuses > call',
    published,
    `${published} > commit`,
    `${published} > turn partition.deliver > commit`,
    `${published} > turn partition.deliver > delivery create`,
  ];
  const spans = await until(() => {
    const present = traceOf(collector, requestId);
    const paths = pathsOf(present);
    return whole.every((path) => paths.includes(path)) ? present : undefined;
  });
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of spans)
    expect(BigInt(end) >= BigInt(start)).toBe(true);
  const root = spans.find(({ parentSpanId }) => parentSpanId === undefined)!;
  expect([root.kind, attributesOf(root)]).toEqual([
    2,
    {
      'http.request.method': 'POST',
      'http.route': '/api/v1/statuses',
      'http.response.status_code': '200',
      'murmuration.request_id': requestId,
    },
  ]);
  const [host, port] = reader.server.host.split(':');
  expect(attributesOf(spans.find(({ name }) => name === 'delivery create')!)).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': '202',
    'server.address': host,
    'server.port': port,
  });
  // Of everything that it got, from the first request on.
  const got = collector.requests.map(({ text }) => text).join('\n');
  const names = [author, reader].map(({ user }) => user.username);
  const secrets = [author.user.token, collectorKey, 'nobody else', ...names, id, account.id];
  expect(secrets.filter((secret) => got.includes(secret))).toEqual([]);
  expect(new Set(collector.requests.map(({ headers }) => headers['x-key']))).toEqual(new Set([collectorKey]));
}

function traceOf({ spans }: TraceCollector, requestId: string): readonly ReceivedSpan[] {
  const root = spans.find((span) => attributesOf(span)['murmuration.request_id'] === requestId);
  return spans.filter(({ traceId }) => traceId === root?.traceId);
}

/** Of each the names of those above it, and its own. */
function pathsOf(spans: readonly ReceivedSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = ({ name, parentSpanId = '' }: ReceivedSpan): string => {
    const above = byId.get(parentSpanId);
    return above === undefined ? name : `${pathOf(above)} > ${name}`;
  };
  return spans.map(pathOf);
}
