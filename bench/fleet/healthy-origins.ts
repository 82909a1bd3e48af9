/**
 * A fleet of healthy servers in one process: every address accepts every POST with 202. It counts, and keeps the first
 * delivery it is asked to keep, for the reference to send.
 */

import { App, type HttpRequest, type HttpResponse } from 'uWebSockets.js';
import { performance } from 'node:perf_hooks';
import { serveChild } from '../processes/child.ts';

export interface KeptDelivery {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Arrivals {
  readonly deliveries: number;
  readonly wallMilliseconds: number;
  readonly busyShare: number;
}

let deliveries = 0;
let kept: KeptDelivery | undefined;
let keepNext = false;
let expected: { readonly count: number; readonly resolve: () => void } | undefined;
let begun = { at: performance.now(), cpu: process.cpuUsage() };

serveChild({
  listen,
  count: () => deliveries,
  /** Begins a window. */
  begin() {
    deliveries = 0;
    begun = { at: performance.now(), cpu: process.cpuUsage() };
  },
  arrived,
  keep() {
    kept = undefined;
    keepNext = true;
  },
  kept: () => kept,
});

function listen({ addresses, port }: { addresses: readonly string[]; port: number }): void {
  const app = App();
  app.post('/*', receive);
  for (const address of addresses) {
    app.listen(address, port, (socket) => {
      if (socket === false) throw new Error(`cannot listen on ${address}:${port}`);
    });
  }
}

function receive(response: HttpResponse, request: HttpRequest): void {
  response.onAborted(() => undefined);
  if (keepNext) keep(response, request);
  else {
    response.onData((_chunk, isLast) => {
      if (isLast) accept(response);
    });
  }
}

function keep(response: HttpResponse, request: HttpRequest): void {
  keepNext = false;
  const headers: Record<string, string> = {};
  request.forEach((name, value) => {
    headers[name] = value;
  });
  const path = request.getUrl();
  const chunks: Buffer[] = [];
  response.onData((chunk, isLast) => {
    chunks.push(Buffer.from(Buffer.from(chunk)));
    if (!isLast) return;
    kept = { path, headers, body: Buffer.concat(chunks) };
    accept(response);
  });
}

function accept(response: HttpResponse): void {
  response.cork(() => {
    response.writeStatus('202 Accepted').end();
  });
  deliveries += 1;
  if (deliveries === expected?.count) expected.resolve();
}

/** Settles when as many deliveries have arrived since `begin`; rejects after the deadline. */
async function arrived({
  count,
  deadlineMilliseconds,
}: {
  count: number;
  deadlineMilliseconds: number;
}): Promise<Arrivals> {
  if (deliveries < count) {
    await new Promise<void>((resolve, reject) => {
      expected = { count, resolve };
      setTimeout(() => reject(new Error(`${deliveries} of ${count} deliveries arrived`)), deadlineMilliseconds).unref();
    });
  }
  const { user, system } = process.cpuUsage(begun.cpu);
  const wallMilliseconds = performance.now() - begun.at;
  return { deliveries, wallMilliseconds, busyShare: (user + system) / 1000 / wallMilliseconds };
}
