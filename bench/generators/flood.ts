/**
 * Posts back to back: as many under way as asked for, each until it is answered and every socket has its event, then the
 * next. So there is always something to send, and never more waiting than a server keeps for a slow socket.
 */
import { performance } from 'node:perf_hooks';
import { markedRequest } from '../load/marker.ts';
import { HttpConnection } from './http-connection.ts';

export interface FloodPlan {
  readonly milliseconds: number;
  readonly postsAtOnce: number;
  /** Whole requests, sent in turn; `markerText` in one is replaced by the marker of the post. */
  readonly requests: readonly string[];
  /** How long one event may be on its way. */
  readonly deadlineMilliseconds: number;
}

export interface FloodResult {
  readonly posts: number;
  /** Of all sockets together. */
  readonly events: number;
  readonly wallMilliseconds: number;
  readonly busyShare: number;
}

export interface FloodedSockets {
  readonly host: string;
  readonly port: number;
  readonly sockets: number;
  nextMarker(): number;
  /** The listener gets the marker of each event that any socket receives. */
  hear(listener: (marker: number) => void): void;
}

/** Rejects when a post is refused, or when an event does not arrive in time. */
export async function flood(plan: FloodPlan, target: FloodedSockets): Promise<FloodResult> {
  const answers = new Map<HttpConnection, () => void>();
  const connections = await openConnections(plan, target, answers);
  const missing = new Map<number, { left: number; readonly arrived: () => void }>();
  target.hear((marker) => {
    const post = missing.get(marker);
    if (post === undefined) return;
    post.left -= 1;
    if (post.left > 0) return;
    missing.delete(marker);
    post.arrived();
  });
  const cpu = process.cpuUsage();
  const begunAt = performance.now();
  let posts = 0;
  const postOnce = (connection: HttpConnection) => {
    const marker = target.nextMarker();
    const answer = new Promise<void>((answered) => answers.set(connection, answered));
    const everywhere = new Promise<void>((arrived) => missing.set(marker, { left: target.sockets, arrived }));
    connection.send(markedRequest(plan.requests[posts % plan.requests.length]!, marker));
    posts += 1;
    return Promise.all([answer, everywhere]);
  };
  const keepPosting = async (connection: HttpConnection) => {
    while (performance.now() - begunAt < plan.milliseconds)
      await inTime(postOnce(connection), plan.deadlineMilliseconds);
  };
  await Promise.all(connections.map(keepPosting));
  const wallMilliseconds = performance.now() - begunAt;
  const { user, system } = process.cpuUsage(cpu);
  for (const connection of connections) connection.close();
  return {
    posts,
    events: posts * target.sockets,
    wallMilliseconds,
    busyShare: (user + system) / 1000 / wallMilliseconds,
  };
}

function openConnections(
  { postsAtOnce }: FloodPlan,
  { host, port }: FloodedSockets,
  answers: ReadonlyMap<HttpConnection, () => void>,
): Promise<HttpConnection[]> {
  const listener = {
    answered(connection: HttpConnection, status: number) {
      if (status !== 200) throw new Error(`a post was answered with ${status}`);
      answers.get(connection)?.();
    },
    failed(_connection: HttpConnection, error: Error) {
      throw error;
    },
  };
  return Promise.all(Array.from({ length: postsAtOnce }, () => HttpConnection.open(host, port, listener)));
}

async function inTime(awaited: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('an answer or an event did not arrive')), milliseconds);
  });
  await Promise.race([awaited, late]).finally(() => clearTimeout(timer));
}
