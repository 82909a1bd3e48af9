/**
 * A fleet of servers in one process, all healthy at first; `spoil` makes every second one bad, in one of three ways: it
 * takes requests and never answers, it answers 503, or it refuses connections. A kept-alive connection goes bad with its
 * host. Noted is when which post arrived at the hosts that stay healthy.
 */
import {
  App,
  type HttpRequest,
  type HttpResponse,
  type us_listen_socket,
  us_listen_socket_close,
} from 'uWebSockets.js';
import { markerIn } from '../load/marker.ts';
import { machineMilliseconds } from '../measure/shared-clock.ts';
import { serveChild } from '../processes/child.ts';

export interface Receipt {
  /** The marker of the post. */
  readonly post: number;
  readonly atMilliseconds: number;
}

export interface MixedReceipts {
  readonly receipts: readonly Receipt[];
  /** Deliveries that bad hosts were offered over connections they took. */
  readonly spurned: number;
}

type Way = 'silent' | 'unavailable' | 'refusing';
const ways: readonly Way[] = ['silent', 'unavailable', 'refusing'];

let spoiled = false;
/** Of the hosts that go bad, by address and port. */
const wayOf = new Map<string, Way>();
const refusing: us_listen_socket[] = [];
let count = 0;
let spurned = 0;
let receipts: Receipt[] = [];
let expected: { readonly count: number; readonly resolve: () => void } | undefined;

serveChild({ listen, spoil, count: () => count, begin, arrived });

function listen({ addresses, port }: { addresses: readonly string[]; port: number }): void {
  const app = App();
  app.post('/*', receive);
  for (const [number, address] of addresses.entries()) {
    const way = number % 2 === 0 ? undefined : ways[Math.floor(number / 2) % ways.length];
    if (way !== undefined) wayOf.set(`${address}:${port}`, way);
    app.listen(address, port, (socket) => {
      if (socket === false) throw new Error(`cannot listen on ${address}:${port}`);
      if (way === 'refusing') refusing.push(socket);
    });
  }
}

function spoil(): void {
  spoiled = true;
  for (const socket of refusing.splice(0)) us_listen_socket_close(socket);
}

function begin(): void {
  receipts = [];
  spurned = 0;
}

function receive(response: HttpResponse, request: HttpRequest): void {
  response.onAborted(() => undefined);
  const way = wayOf.get(request.getHeader('host'));
  if (!spoiled || way === undefined) {
    accept(response, way === undefined);
    return;
  }
  spurned += 1;
  if (way === 'refusing') response.close();
  else if (way === 'unavailable') whenWhole(response, () => answer(response, '503 Service Unavailable'));
}

function accept(response: HttpResponse, staysHealthy: boolean): void {
  whenWhole(response, (body) => {
    answer(response, '202 Accepted');
    count += 1;
    const post = markerIn(body);
    if (!staysHealthy || post === undefined) return;
    receipts.push({ post, atMilliseconds: machineMilliseconds() });
    if (receipts.length === expected?.count) expected.resolve();
  });
}

function whenWhole(response: HttpResponse, use: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  response.onData((chunk, isLast) => {
    // The chunk is gone after the call.
    chunks.push(Buffer.from(Buffer.from(chunk)));
    if (isLast) use(Buffer.concat(chunks));
  });
}

function answer(response: HttpResponse, status: string): void {
  response.cork(() => {
    response.writeStatus(status).end();
  });
}

/** Settles when the healthy hosts have so many since `begin`; rejects after the deadline. */
async function arrived(request: { count: number; deadlineMilliseconds: number }): Promise<MixedReceipts> {
  if (receipts.length < request.count) {
    await new Promise<void>((resolve, reject) => {
      expected = { count: request.count, resolve };
      const late = () => reject(new Error(`${receipts.length} of ${request.count} deliveries arrived`));
      setTimeout(late, request.deadlineMilliseconds).unref();
    });
  }
  return { receipts, spurned };
}
