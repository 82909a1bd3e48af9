/**
 * The HTTP load generator, a process of its own. Three kinds of load over kept-alive connections:
 *
 * - `waves`: one request on every connection, the next wave when all are answered. The server always finds a full wave
 *   at once, however fast it is, so that its cost per operation does not depend on how busy it is. Where the generator
 *   would be the bottleneck it pauses between waves.
 * - `loop` (closed loop): each connection sends its next request as soon as it has its answer, without a pause. It counts
 *   how many the machine answers, generator included; `once` does so with every request once.
 * - `schedule` (open loop): requests are due at a rate, whatever the answers do. One that waits for a free connection is
 *   timed from when it was due, so that a stall is not hidden.
 *
 * It measures its own CPU and says which share of the time it was busy.
 */
import { performance } from 'node:perf_hooks';
import { serveChild } from '../processes/child.ts';
import { HttpConnection } from './http-connection.ts';

export interface GeneratorTarget {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  /** Whole requests, sent in turn. */
  readonly requests: readonly string[];
}

export interface LoadResult {
  readonly operations: number;
  readonly failures: number;
  /** Good answers with a part of what was asked for (206). */
  readonly partial: number;
  readonly wallMilliseconds: number;
  readonly busyShare: number;
}

export interface Schedule {
  readonly ratePerSecond: number;
  readonly milliseconds: number;
  /** An answer is in time so long after its request was sent, and was due. */
  readonly inTime?: { readonly afterSending: number; readonly afterDue: number };
}

export interface ScheduleResult extends LoadResult {
  /** Answered well, and in time. */
  readonly inTime: number;
  /** From due to the end of the answer, in milliseconds, one of each request. */
  readonly latencies: Float64Array;
}

/** The generator pauses above this share, some way below where a run is void. */
const pauseAboveShare = 0.7;

let place = { host: '', port: 0 };
let connections: HttpConnection[] = [];
let requests: Buffer[] = [];
let nextRequest = 0;
let answered: (connection: HttpConnection, status: number) => void = () => undefined;
let failures = 0;
let partial = 0;

serveChild({ prepare, waves, loop, once, schedule });

async function prepare(target: GeneratorTarget): Promise<void> {
  for (const connection of connections) connection.close();
  requests = target.requests.map((request) => Buffer.from(request));
  nextRequest = 0;
  place = target;
  connections = await Promise.all(Array.from({ length: target.connections }, openConnection));
}

const listener = {
  answered: (connection: HttpConnection, status: number) => answered(connection, status),
  failed: (_connection: HttpConnection, error: Error) => {
    throw error;
  },
};

function openConnection(): Promise<HttpConnection> {
  return HttpConnection.open(place.host, place.port, listener);
}

/** Those that were idle for too long while another process was measured are opened anew. */
async function refreshConnections(): Promise<void> {
  connections = await Promise.all(connections.map((connection) => (connection.closed ? openConnection() : connection)));
}

function send(connection: HttpConnection): void {
  connection.send(requests[nextRequest]!);
  nextRequest = (nextRequest + 1) % requests.length;
}

const partialContent = 206;

function count(status: number): void {
  if (!isGood(status)) failures += 1;
  if (status === partialContent) partial += 1;
}

function isGood(status: number): boolean {
  return status >= 200 && status <= 299;
}

async function waves({ milliseconds }: { milliseconds: number }): Promise<LoadResult> {
  await refreshConnections();
  const started = begin();
  let operations = 0;
  while (performance.now() - started.at < milliseconds) {
    await wave();
    operations += connections.length;
    const pause = busyMilliseconds(started) / pauseAboveShare - (performance.now() - started.at);
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return { operations, ...end(started) };
}

function wave(): Promise<void> {
  return new Promise((resolve) => {
    let open = connections.length;
    answered = (_connection, status) => {
      count(status);
      open -= 1;
      if (open === 0) resolve();
    };
    for (const connection of connections) send(connection);
  });
}

async function loop({ milliseconds }: { milliseconds: number }): Promise<LoadResult> {
  await refreshConnections();
  const started = begin();
  const operations = await keepBusy(() => performance.now() - started.at < milliseconds);
  return { operations, ...end(started) };
}

async function once(): Promise<LoadResult> {
  await refreshConnections();
  const started = begin();
  let unsent = requests.length;
  const operations = await keepBusy(() => unsent-- > 0);
  return { operations, ...end(started) };
}

/** Each connection sends as long as there is more; answers how many were answered. There must be one at least. */
function keepBusy(isMore: () => boolean): Promise<number> {
  return new Promise((resolve) => {
    let done = 0;
    let open = 0;
    const next = (connection: HttpConnection) => {
      if (!isMore()) return;
      open += 1;
      send(connection);
    };
    answered = (connection, status) => {
      count(status);
      done += 1;
      open -= 1;
      next(connection);
      if (open === 0) resolve(done);
    };
    for (const connection of connections) next(connection);
  });
}

async function schedule({ ratePerSecond, milliseconds, inTime: within }: Schedule) {
  await refreshConnections();
  const started = begin();
  const latencies = new Float64Array(Math.floor((ratePerSecond * milliseconds) / 1000));
  const idle = [...connections];
  const waiting: number[] = [];
  let due = 0;
  let done = 0;
  let inTime = 0;
  const isInTime = ({ sentAt, dueAt }: HttpConnection, now: number) =>
    within === undefined || (now - sentAt <= within.afterSending && now - dueAt <= within.afterDue);
  await new Promise<void>((resolve) => {
    answered = (connection, status) => {
      count(status);
      const now = performance.now();
      if (isGood(status) && isInTime(connection, now)) inTime += 1;
      latencies[done] = now - connection.dueAt;
      done += 1;
      const dueAt = waiting.shift();
      if (dueAt === undefined) idle.push(connection);
      else start(connection, dueAt);
      if (done === latencies.length) resolve();
    };
    const tick = () => {
      const now = performance.now();
      const dueNow = Math.min(latencies.length, Math.floor(((now - started.at) * ratePerSecond) / 1000));
      // Timed from the tick that finds it due: how late this process wakes is not the server's doing.
      for (; due < dueNow; due += 1) {
        const connection = takeOpen(idle);
        if (connection === undefined) waiting.push(now);
        else start(connection, now);
      }
      if (due < latencies.length) setTimeout(tick, 1);
    };
    tick();
  });
  return { operations: done, inTime, latencies, ...end(started) } satisfies ScheduleResult;
}

/** The server may have closed those that had nothing to do. */
function takeOpen(idle: HttpConnection[]): HttpConnection | undefined {
  for (;;) {
    const connection = idle.pop();
    if (connection?.closed !== true) return connection;
  }
}

function start(connection: HttpConnection, dueAt: number): void {
  connection.dueAt = dueAt;
  connection.sentAt = performance.now();
  send(connection);
}

interface Start {
  readonly at: number;
  readonly cpu: NodeJS.CpuUsage;
}

function begin(): Start {
  failures = 0;
  partial = 0;
  return { at: performance.now(), cpu: process.cpuUsage() };
}

function busyMilliseconds(started: Start): number {
  const { user, system } = process.cpuUsage(started.cpu);
  return (user + system) / 1000;
}

function end(started: Start) {
  const wallMilliseconds = performance.now() - started.at;
  return { failures, partial, wallMilliseconds, busyShare: busyMilliseconds(started) / wallMilliseconds };
}
