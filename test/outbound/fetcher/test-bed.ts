/** Remote hosts and networks for one test, closed at its end. */
import type { RequestListener } from 'node:http';
import { afterEach } from 'vitest';
import type { FetchRequest } from '../../../src/outbound/fetcher/fetcher.ts';
import type { RequestSigner } from '../../../src/outbound/signatures/types.ts';
import { alice } from '../signatures/requests.ts';
import {
  createTestNetwork,
  type NetworkOverrides,
  type RemoteHost,
  startRemoteHost,
  type TestNetwork,
} from './remote-host.ts';

export interface TestBed {
  host(listener: RequestListener): Promise<RemoteHost>;
  network(overrides?: NetworkOverrides): TestNetwork;
  /** Runs at the end of the test, last added first. */
  atEnd(close: () => Promise<void>): void;
}

export function useTestBed(): TestBed {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    while (closers.length > 0) await closers.pop()!();
  });
  return {
    async host(listener) {
      const remote = await startRemoteHost(listener);
      closers.push(() => remote.close());
      return remote;
    },
    network(overrides) {
      const created = createTestNetwork(overrides);
      closers.push(() => created.connections.close());
      return created;
    },
    atEnd: (close) => void closers.push(close),
  };
}

export const signer: RequestSigner = { keyId: 'https://home.example/actor#main-key', privateKey: alice.privateKey };

/** A request for JSON of at most 1000 bytes, unless a test says otherwise. */
export function request(url: string, more: Partial<FetchRequest> = {}): FetchRequest {
  return { url, accept: 'application/json', bytesMax: 1_000, ...more };
}
