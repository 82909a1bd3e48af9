/** Remote servers on the loopback interface, and name servers that answer as a test says. */

import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ConnectionOptions,
  createConnections,
  type RemoteConnections,
} from '../../../src/outbound/fetcher/connections.ts';
import { Fetcher } from '../../../src/outbound/fetcher/fetcher.ts';
import { type FetcherLimits, fetcherLimits } from '../../../src/outbound/fetcher/limits.ts';
import type { NameResolver } from '../../../src/outbound/fetcher/name-resolver.ts';
import { cachesOf, roomyCaches } from '../../support/caches.ts';

export interface RemoteHost {
  readonly port: number;
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  readonly requests: IncomingMessage[];
  /** Replaces what the host answers. */
  answer(listener: RequestListener): void;
  close(): Promise<void>;
}

export async function startRemoteHost(listener: RequestListener): Promise<RemoteHost> {
  const requests: IncomingMessage[] = [];
  let current = listener;
  const server: Server = createServer((request, response) => {
    requests.push(request);
    current(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    requests,
    answer: (next) => {
      current = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Names to addresses, one list per question; the last list answers all further questions. */
export class LyingResolver implements NameResolver {
  readonly questions: string[] = [];
  private readonly answers = new Map<string, string[][]>();

  set(hostname: string, ...answers: string[][]): this {
    this.answers.set(hostname, answers);
    return this;
  }

  async resolve(hostname: string): Promise<string[]> {
    this.questions.push(hostname);
    const answers = this.answers.get(hostname);
    if (answers === undefined) throw Object.assign(new Error(`no such name: ${hostname}`), { code: 'ENOTFOUND' });
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  }
}

const start = Date.UTC(2026, 10, 20, 12);

/** A test moves time by adding to `milliseconds`. */
export class TestClock {
  milliseconds = start;
  private setBy = 0;

  get monotonic(): number {
    return this.milliseconds - start - this.setBy;
  }

  /** Somebody sets the wall clock ahead by so much, or back. */
  set(milliseconds: number): void {
    this.milliseconds += milliseconds;
    this.setBy += milliseconds;
  }
}

export interface TestNetwork {
  readonly clock: TestClock;
  readonly resolver: LyingResolver;
  readonly connections: RemoteConnections;
  readonly fetcher: Fetcher;
}

export interface NetworkOverrides {
  /** Of addresses that failed, and as much of hosts. */
  readonly failedFetchBytes?: number;
  readonly limits?: Partial<FetcherLimits>;
  readonly policy?: Partial<ConnectionOptions['policy']>;
}

/** A fetcher that may use plain http and the loopback interface, unless a test says otherwise. */
export function createTestNetwork(overrides: NetworkOverrides = {}): TestNetwork {
  const clock = new TestClock();
  const resolver = new LyingResolver();
  const connections = createConnections({
    resolver,
    policy: { allowPrivate: true, allowHttp: true, isRefusedHost: () => false, ...overrides.policy },
    now: () => clock.milliseconds,
    monotonic: () => clock.monotonic,
    userAgent: 'Murmuration/test (+https://home.example/)',
    limits: { ...fetcherLimits, ...overrides.limits },
  });
  const { failedFetchBytes } = overrides;
  const caches =
    failedFetchBytes === undefined ? roomyCaches('network') : cachesOf({ failedFetches: 2 * failedFetchBytes });
  return { clock, resolver, connections, fetcher: new Fetcher(connections, caches) };
}

export function answerJson(response: ServerResponse, value: unknown, contentType = 'application/activity+json'): void {
  response.setHeader('content-type', contentType);
  response.end(JSON.stringify(value));
}
