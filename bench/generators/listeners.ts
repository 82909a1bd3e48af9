/**
 * The WebSocket load generator, a process of its own: opens sockets, posts at a schedule (open loop, in bursts), and times
 * each event from when its post was due to when each socket has it; or posts back to back, as fast as all sockets have the
 * events (closed loop). Posts carry a marker, so that every receipt is known.
 */
import { performance } from 'node:perf_hooks';
import { markedRequest, markerIn } from '../load/marker.ts';
import { ReceivingWebSocket } from '../load/stream/web-socket.ts';
import { serveChild } from '../processes/child.ts';
import { type FloodPlan, type FloodResult, flood } from './flood.ts';
import { HttpConnection } from './http-connection.ts';

export interface ListenersTarget {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** One for each socket. */
  readonly tokens: readonly string[];
}

export interface PostsPlan {
  readonly bursts: number;
  readonly postsPerBurst: number;
  readonly burstsPerSecond: number;
  /** Whole requests; `markerText` in one is replaced by the marker of the post. */
  readonly requests: readonly string[];
  /** How long receipts may take after the last post. */
  readonly deadlineMilliseconds: number;
}

export interface Receipts {
  readonly posts: number;
  /** Of all sockets together. */
  readonly received: number;
  readonly expected: number;
  readonly failures: number;
  readonly busyShare: number;
  readonly milliseconds: Float64Array;
}

const openAtOnce = 200;

let sockets: ReceivingWebSocket[] = [];
let target: ListenersTarget;
let received: (marker: number) => void = () => undefined;
let nextMarker = 0;

serveChild({ open, post, flood: floodSockets });

/** Opens a socket for each token. */
async function open(request: ListenersTarget): Promise<void> {
  target = request;
  for (const socket of sockets) socket.close();
  sockets = [];
  for (let first = 0; first < target.tokens.length; first += openAtOnce) {
    const tokens = target.tokens.slice(first, first + openAtOnce);
    const { host, port, path } = target;
    sockets.push(
      ...(await Promise.all(tokens.map((token) => ReceivingWebSocket.open({ host, port, path, token }, receive)))),
    );
  }
}

function receive(payload: Buffer): void {
  const marker = markerIn(payload);
  if (marker !== undefined) received(marker);
}

/** Posts by the plan and waits until every socket has every event, or the deadline. */
async function post(plan: PostsPlan): Promise<Receipts> {
  const posts = plan.bursts * plan.postsPerBurst;
  const firstMarker = nextMarker;
  nextMarker += posts;
  const dueAt = new Float64Array(posts);
  const expected = posts * sockets.length;
  const milliseconds = new Float64Array(expected);
  let count = 0;
  const { promise: finished, resolve: allReceived } = Promise.withResolvers<void>();
  received = (marker) => {
    const index = marker - firstMarker;
    if (index < 0 || index >= posts || count === expected) return;
    milliseconds[count] = performance.now() - dueAt[index]!;
    count += 1;
    if (count === expected) allReceived();
  };
  const cpu = process.cpuUsage();
  const begunAt = performance.now();
  const failures = await sendBursts(plan, (index, now) => {
    dueAt[index] = now;
    return markedRequest(plan.requests[index % plan.requests.length]!, firstMarker + index);
  });
  await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, plan.deadlineMilliseconds))]);
  const { user, system } = process.cpuUsage(cpu);
  const busyShare = (user + system) / 1000 / (performance.now() - begunAt);
  return { posts, received: count, expected, failures, busyShare, milliseconds: milliseconds.slice(0, count) };
}

/** Posts back to back for so long. */
function floodSockets(plan: FloodPlan): Promise<FloodResult> {
  const { host, port } = target;
  return flood(plan, {
    host,
    port,
    sockets: sockets.length,
    nextMarker: () => nextMarker++,
    hear: (listener) => {
      received = listener;
    },
  });
}

/** Answers the number of posts that failed. */
async function sendBursts(plan: PostsPlan, request: (index: number, now: number) => Buffer): Promise<number> {
  let failures = 0;
  let open = plan.bursts * plan.postsPerBurst;
  const { promise: finished, resolve: allAnswered } = Promise.withResolvers<void>();
  const idle: HttpConnection[] = [];
  const listener = {
    answered(connection: HttpConnection, status: number) {
      if (status !== 200) failures += 1;
      idle.push(connection);
      open -= 1;
      if (open === 0) allAnswered();
    },
    failed(_connection: HttpConnection, error: Error) {
      throw error;
    },
  };
  // Enough that a post never waits for the answer of another, even of some bursts before.
  const connections = plan.postsPerBurst * 8;
  for (let count = 0; count < connections; count += 1)
    idle.push(await HttpConnection.open(target.host, target.port, listener));
  const all = [...idle];
  let burst = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    for (let index = 0; index < plan.postsPerBurst; index += 1) {
      const connection = idle.shift();
      if (connection === undefined) throw new Error('the posts are answered too slowly for this schedule');
      connection.send(request(burst * plan.postsPerBurst + index, now));
    }
    burst += 1;
    if (burst === plan.bursts) clearInterval(timer);
  }, 1000 / plan.burstsPerSecond);
  await finished;
  for (const connection of all) connection.close();
  return failures;
}
