/**
 * Requests to the server under test over kept-alive connections. A request that finds all connections busy waits in turn and
 * is timed from when it was due; one that cannot be sent before its time is over is counted as unsent.
 */
import { Pool } from 'undici';
import { loadLimits } from '../limits.ts';
import type { Recorder } from '../run/recorder.ts';
import type { Target } from '../target.ts';
import { type Answer, AnswerHandler } from './answer.ts';

export interface LoadRequest {
  /** Under which it is counted. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token: string | undefined;
  /** Beside those of the run, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly contentType?: string;
  /** Of the monotonic clock. */
  readonly dueAt: number;
}

interface Waiting {
  readonly request: LoadRequest;
  readonly settle: (outcome: Answer | undefined) => void;
}

export interface ClientInput {
  readonly target: Target;
  readonly recorder: Recorder;
  readonly connections: number;
  readonly timeoutSeconds: number;
}

export class Client {
  /** Milliseconds from due to sent, for how late this tool itself is. */
  readonly lateName = 'due to sent';
  private readonly pool: Pool;
  private readonly input: ClientInput;
  private readonly waiting: Waiting[] = [];
  private first = 0;
  private underWay = 0;

  constructor(input: ClientInput) {
    const { target, connections, timeoutSeconds } = input;
    this.input = input;
    this.pool = new Pool(target.origin, {
      connections,
      pipelining: 1,
      connect: { timeout: timeoutSeconds * 1_000 },
      headersTimeout: timeoutSeconds * 1_000,
      bodyTimeout: timeoutSeconds * 1_000,
    });
  }

  /** The answer, whatever its status; undefined where there was none. Counts what happened. Never rejects. */
  send(request: LoadRequest): Promise<Answer | undefined> {
    return new Promise((settle) => {
      if (this.underWay < this.input.connections) this.start({ request, settle });
      else if (this.waiting.length - this.first >= loadLimits.waitingRequestsMax) this.leaveUnsent({ request, settle });
      else this.waiting.push({ request, settle });
    });
  }

  /** What still waits is not sent any more. */
  async close(): Promise<void> {
    for (const unsent of this.waiting.splice(0).slice(this.first)) this.leaveUnsent(unsent);
    this.first = 0;
    await this.pool.destroy();
  }

  private start({ request, settle }: Waiting): void {
    const { target, recorder } = this.input;
    const { name, method, path, token, body, contentType, dueAt } = request;
    this.underWay += 1;
    recorder.took(this.lateName, dueAt, performance.now() - dueAt);
    const headers: Record<string, string> = { ...target.headers, accept: 'application/json', ...request.headers };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (contentType !== undefined) headers['content-type'] = contentType;
    const handler = new AnswerHandler((outcome) => {
      this.underWay -= 1;
      if ('failure' in outcome) recorder.failed(name, dueAt, outcome.failure);
      else if (outcome.status >= 200 && outcome.status < 300) recorder.done(name, dueAt);
      else recorder.failed(name, dueAt, kindOf(outcome.status));
      settle('failure' in outcome ? undefined : outcome);
      this.startNext();
    });
    this.pool.dispatch({ method, path, headers, body: body ?? null }, handler);
  }

  private startNext(): void {
    const next = this.waiting[this.first];
    if (next === undefined) return;
    this.first += 1;
    if (this.first > 1_024 && this.first * 2 > this.waiting.length) {
      this.waiting.splice(0, this.first);
      this.first = 0;
    }
    const isOver = performance.now() - next.request.dueAt > this.input.timeoutSeconds * 1_000;
    if (!isOver) this.start(next);
    else {
      this.leaveUnsent(next);
      setImmediate(() => this.startNext());
    }
  }

  private leaveUnsent({ request, settle }: Waiting): void {
    this.input.recorder.failed(request.name, request.dueAt, 'unsent: no connection in time');
    settle(undefined);
  }
}

export function kindOf(status: number): string {
  return status === 429 ? 'rate limited (429)' : `status ${status}`;
}
