/** A collector of traces: it takes what OTLP/HTTP sends in JSON, or answers as a test says. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: string } }[];
  readonly status?: { code: number };
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: ReceivedSpan['attributes'] };
    readonly scopeSpans: readonly { readonly scope: object; readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

interface CollectorAnswer {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TraceCollector {
  readonly endpoint: string;
  /** Of each request: its body as text, and its head. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly text: string }[];
  /** For the next requests, one each; the others are taken. */
  readonly answers: CollectorAnswer[];
  readonly spans: readonly ReceivedSpan[];
  close(): Promise<void>;
}

export async function startTraceCollector(port = 0): Promise<TraceCollector> {
  const requests: TraceCollector['requests'] = [];
  const answers: CollectorAnswer[] = [];
  const server = createServer(async (request, response) => {
    const text = gunzipSync(await buffer(request)).toString('utf8');
    requests.push({ path: request.url!, headers: request.headers, text });
    const { status, body = {}, headers = {} } = answers.shift() ?? { status: 200 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answers,
    get spans() {
      return requests.flatMap(({ text }) =>
        (JSON.parse(text) as Sent).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      );
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

/** Its attributes by name; `thread.name` is left out. */
export function attributesOf({ attributes }: ReceivedSpan): Record<string, string> {
  return Object.fromEntries(
    attributes
      .filter(({ key }) => key !== 'thread.name')
      .map(({ key, value }) => [key, value.stringValue ?? value.intValue!]),
  );
}
