/**
 * Child processes of the bench: load generators, references, remote servers. Parent and child talk over the channel of
 * `fork`; a child is pinned to a core or not. `serveChild` is the other end.
 */
import { type ChildProcess, spawn } from 'node:child_process';

export interface Child {
  readonly processId: number;
  /** Asks for what the child serves under a name; rejects with what it throws, or when it ends first. */
  ask<Answer>(name: string, request?: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

interface Request {
  readonly number: number;
  readonly name: string;
  readonly request: unknown;
}

interface Reply {
  readonly number: number;
  readonly answer?: unknown;
  readonly error?: string;
}

/** The beginning of a command line that pins what follows it to a core; empty for no core. */
export function pinning(core: number | undefined): string[] {
  return core === undefined ? [] : ['taskset', '--cpu-list', String(core)];
}

/** Starts a file of the bench. `nodeArguments` are for Node itself. */
export function openChild(
  file: URL,
  options: { readonly core?: number | undefined; readonly nodeArguments?: readonly string[] } = {},
): Child {
  const line = [...pinning(options.core), process.execPath, ...(options.nodeArguments ?? []), file.pathname];
  const child = spawn(line[0]!, line.slice(1), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  return new ChildHandle(child, file.pathname);
}

/** Settles when the child has ended; a parent that ends first takes it along. */
export function endWithParent(child: ChildProcess): Promise<void> {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return new Promise((resolve) => {
    child.once('exit', () => {
      process.off('exit', kill);
      resolve();
    });
  });
}

class ChildHandle implements Child {
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private readonly waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  private lastNumber = 0;

  constructor(child: ChildProcess, name: string) {
    this.child = child;
    child.on('message', (message: Reply) => this.replied(message));
    this.ended = endWithParent(child);
    child.once('exit', (code, signal) => {
      for (const { reject } of this.waiting.values()) reject(new Error(`${name} ended (${code ?? signal})`));
    });
  }

  get processId(): number {
    return this.child.pid!;
  }

  ask<Answer>(name: string, request?: unknown): Promise<Answer> {
    this.lastNumber += 1;
    const number = this.lastNumber;
    return new Promise<Answer>((resolve, reject) => {
      this.waiting.set(number, { resolve: resolve as (answer: unknown) => void, reject });
      this.child.send({ number, name, request } satisfies Request);
    });
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.ended;
  }

  private replied({ number, answer, error }: Reply): void {
    const waiting = this.waiting.get(number);
    this.waiting.delete(number);
    if (error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(error));
  }
}

type Served = Readonly<Record<string, (request: never) => unknown>>;

/** Answers what the parent asks for by name; ends with the parent. */
export function serveChild(served: Served): void {
  process.on('message', ({ number, name, request }: Request) => void answer(served, number, name, request));
  process.on('disconnect', () => process.exit(0));
}

async function answer(served: Served, number: number, name: string, request: unknown): Promise<void> {
  let reply: Reply;
  try {
    const serve = served[name];
    if (serve === undefined) throw new Error(`nothing is served under ${name}`);
    reply = { number, answer: await serve(request as never) };
  } catch (error) {
    reply = { number, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.send!(reply);
}
