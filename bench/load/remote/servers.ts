/**
 * Servers that are played on loopback addresses, all in this process: they show their actors, verify what is delivered to
 * them, and answer as their behaviour says. All are healthy until they are told to behave.
 */

import {
  App,
  type HttpRequest,
  type HttpResponse,
  type us_listen_socket,
  us_listen_socket_close,
} from 'uWebSockets.js';
import { createServer } from 'node:net';
import { LoadFailure } from '../failure.ts';
import { loadLimits } from '../limits.ts';
import { addressOf } from './addresses.ts';
import { type Behaviour, demandOf } from './behaviours.ts';
import { documentAt } from './documents.ts';
import type { ServerKey } from './keys.ts';
import { type RemotePerson, remotePerson } from './people.ts';
import type { Verdict, Verifier } from './verification.ts';

export interface Delivery {
  readonly server: number;
  readonly body: Buffer;
}

export interface ServersInput {
  readonly count: number;
  readonly port: number;
  readonly keys: readonly ServerKey[];
  readonly verifier: Verifier;
  readonly behaviours: readonly Behaviour[];
  readonly slowMilliseconds: number;
  /** Gets what was delivered with a valid signature to a server that took it, at the moment of its answer. */
  readonly delivered: (delivery: Delivery) => void;
}

export class RemoteServers {
  private readonly input: ServersInput;
  private readonly numbers = new Map<string, number>();
  private readonly sockets = new Map<number, us_listen_socket>();
  private readonly app = App();
  private behaves = false;
  private readonly counts = new Map<string, number>();

  constructor(input: ServersInput) {
    this.input = input;
    for (let number = 0; number < input.count; number += 1) this.numbers.set(this.person(number).host, number);
    this.app.get('/*', (response, request) => this.show(response, request));
    this.app.post('/*', (response, request) => this.receive(response, request));
    this.app.any('/*', (response) => answer(response, '404 Not Found'));
  }

  person(number: number): RemotePerson {
    return remotePerson(number, this.input.port);
  }

  key(number: number): ServerKey {
    const { keys } = this.input;
    return keys[number % keys.length]!;
  }

  /** How often what happened, such as `verified for all`. */
  get counted(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.counts].toSorted());
  }

  /** Rejects with a LoadFailure where an address cannot be listened on. */
  async open(): Promise<void> {
    await assertFree(addressOf(0), this.input.port);
    for (let number = 0; number < this.input.count; number += 1) this.listen(number);
  }

  /** From now on servers answer as their behaviours say, or are healthy again. */
  behave(behaves: boolean): void {
    this.behaves = behaves;
    for (const [number, behaviour] of this.input.behaviours.entries()) {
      if (behaviour !== 'dead') continue;
      const socket = this.sockets.get(number);
      if (!behaves) {
        if (socket === undefined) this.listen(number);
      } else if (socket !== undefined) {
        us_listen_socket_close(socket);
        this.sockets.delete(number);
      }
    }
  }

  close(): void {
    this.app.close();
    this.sockets.clear();
  }

  private listen(number: number): void {
    const { port } = this.input;
    this.app.listen(addressOf(number), port, (socket) => {
      if (socket === false)
        throw new LoadFailure('addressUnavailable', `Nobody can listen on ${addressOf(number)}:${port}.`);
      this.sockets.set(number, socket);
    });
  }

  private behaviourOf(number: number): Behaviour {
    return this.behaves ? (this.input.behaviours[number] ?? 'healthy') : 'healthy';
  }

  private show(response: HttpResponse, request: HttpRequest): void {
    response.onAborted(() => undefined);
    const number = this.numbers.get(request.getHeader('host'));
    const behaviour = number === undefined ? 'healthy' : this.behaviourOf(number);
    if (behaviour === 'dead') response.close();
    else if (behaviour === 'failing') answer(response, '503 Service Unavailable');
    else if (behaviour !== 'stalling') {
      this.count('documents asked for');
      const document =
        number === undefined
          ? undefined
          : documentAt(this.person(number), this.key(number).publicKeyPem, request.getUrl(), request.getQuery() ?? '');
      if (document === undefined) answer(response, '404 Not Found');
      else
        response.cork(() =>
          response.writeStatus('200 OK').writeHeader('content-type', document.type).end(document.body),
        );
    }
  }

  private receive(response: HttpResponse, request: HttpRequest): void {
    let isAborted = false;
    response.onAborted(() => {
      isAborted = true;
    });
    const host = request.getHeader('host');
    const number = this.numbers.get(host);
    const behaviour = number === undefined ? 'dead' : this.behaviourOf(number);
    if (number === undefined || behaviour === 'dead' || behaviour === 'stalling') {
      this.count(`offered to ${behaviour}`);
      if (behaviour === 'dead') response.close();
      return;
    }
    const headers = new Map<string, string>();
    request.forEach((name, value) => {
      headers.set(name, value);
    });
    const rawTarget = request.getUrl();
    whenWhole(response, (body) => {
      if (isAborted) return;
      if (behaviour === 'failing') {
        this.count('offered to failing');
        answer(response, '503 Service Unavailable');
        return;
      }
      const signed = { method: 'POST', origin: `http://${host}`, rawTarget, headers, body };
      const settle = (verdict: Verdict) => {
        const finish = () => !isAborted && this.finish(response, verdict, { server: number, body });
        if (behaviour === 'slow') setTimeout(finish, this.input.slowMilliseconds);
        else finish();
      };
      const verdict = this.input.verifier.verify(signed, demandOf(behaviour));
      if (verdict instanceof Promise) void verdict.then(settle);
      else settle(verdict);
    });
  }

  private finish(response: HttpResponse, verdict: Verdict, delivery: Delivery): void {
    this.count(verdict.ok ? `verified, signed ${verdict.way}` : `refused: ${verdict.why}`);
    answer(response, verdict.ok ? '202 Accepted' : '401 Unauthorized');
    if (verdict.ok) this.input.delivered(delivery);
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

/** Another process that listens there as well would get a part of what is sent. */
function assertFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once('error', () =>
      reject(new LoadFailure('addressUnavailable', `Nobody can listen on ${host}:${port}, or somebody does.`)),
    );
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

function answer(response: HttpResponse, status: string): void {
  response.cork(() => {
    response.writeStatus(status).end();
  });
}

/** What is longer than any activity is cut off. */
function whenWhole(response: HttpResponse, use: (body: Buffer) => void): void {
  let whole: Buffer | undefined;
  let isTooLong = false;
  response.onData((chunk, isLast) => {
    if (isTooLong) return;
    // The chunk is gone after the call.
    const copy = Buffer.from(Buffer.from(chunk));
    whole = whole === undefined ? copy : Buffer.concat([whole, copy]);
    isTooLong = whole.length > loadLimits.answerBytesMax;
    if (isTooLong) response.close();
    else if (isLast) use(whole);
  });
}
