/**
 * The limit of deliveries: what the cheapest client pays for the same requests. Signatures by the asynchronous call of
 * Node with a parsed key, then POSTs by undici's dispatch with the bytes and headers of a real delivery, over one kept-alive
 * connection an origin.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Agent, type Dispatcher } from 'undici';
import type { KeptDelivery } from '../fleet/healthy-origins.ts';
import type { Window } from '../measure/pairs.ts';
import { serveChild } from '../processes/child.ts';

interface Prepared {
  readonly origins: readonly string[];
  readonly delivery: KeptDelivery;
}

const signaturesAtOnce = 16;
const requestsAtOnce = 256;
/** About as long as what is signed for a delivery. */
const signedBytes = Buffer.alloc(220, 'x');

const agent = new Agent({ connections: 1, pipelining: 1 });
let privateKey: KeyObject;
let origins: readonly string[] = [];
let request: { path: string; headers: Record<string, string>; body: Buffer };

serveChild({ prepare, deliver });

function prepare(prepared: Prepared): void {
  const { privateKey: pem } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  privateKey = createPrivateKey(pem);
  origins = prepared.origins;
  const { path, headers, body } = prepared.delivery;
  // Undici writes these itself.
  const { 'content-length': _length, connection: _connection, host: _host, ...rest } = headers;
  request = { path, headers: rest, body: Buffer.from(body) };
}

/**
 * Signs and sends `count` times, one after the other, so that neither hides in the other's waiting. `signatures`: where
 * one serves many requests.
 */
async function deliver({ count, signatures = count }: { count: number; signatures?: number }): Promise<Window> {
  const cpu = process.cpuUsage();
  const begunAt = performance.now();
  await atOnce(signaturesAtOnce, signatures, signOne);
  await atOnce(requestsAtOnce, count, sendOne);
  const { user, system } = process.cpuUsage(cpu);
  const wallMilliseconds = performance.now() - begunAt;
  return { operations: count, cpuMicroseconds: user + system, wallMilliseconds, busyShare: undefined, failures: 0 };
}

async function atOnce(width: number, count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const runner = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: width }, runner));
}

function signOne(): Promise<void> {
  return new Promise((resolve, reject) => {
    sign('sha256', signedBytes, privateKey, (error) => (error === null ? resolve() : reject(error)));
  });
}

function sendOne(index: number): Promise<void> {
  const origin = origins[index % origins.length]!;
  return new Promise((resolve, reject) => {
    agent.dispatch({ origin, method: 'POST', ...request }, new Completion(resolve, reject));
  });
}

class Completion implements Dispatcher.DispatchHandler {
  private readonly resolve: () => void;
  private readonly reject: (error: Error) => void;

  constructor(resolve: () => void, reject: (error: Error) => void) {
    this.resolve = resolve;
    this.reject = reject;
  }

  onRequestStart(): void {
    return;
  }

  onResponseStart(): void {
    return;
  }

  onResponseData(): void {
    return;
  }

  onResponseEnd(): void {
    this.resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
  }
}
