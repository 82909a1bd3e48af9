/**
 * The main thread: starts the others, connects every pair that talks, replaces one that dies, and stops them in an order
 * in which nothing acknowledged is lost (gateways first, then network threads, then owners).
 */
import { MessageChannel, Worker } from 'node:worker_threads';
import { threadLimits } from '../limits.ts';
import type { Problem } from '../ports.ts';
import type { Role, SupervisorMessage, ThreadName, ThreadReport } from './messages.ts';
import type { ThreadStart } from './thread.ts';

export interface SupervisorOptions<Shared> {
  entry: URL;
  counts: Readonly<Record<Role, number>>;
  shared: Shared;
  boot: number;
  report(problem: Problem): void;
  /** A thread keeps dying: the process should end. */
  gaveUp(): void;
}

interface Supervised {
  readonly name: ThreadName;
  worker: Worker;
  ready: Promise<void>;
  deaths: number[];
}

const startOrder: readonly Role[] = ['owner', 'network', 'gateway'];
const deathsMax = 5;
const deathWindowMilliseconds = 60_000;

export class Supervisor<Shared> {
  private readonly options: SupervisorOptions<Shared>;
  private readonly threads: Supervised[] = [];
  private readonly adminAnswers = new Map<number, (answer: unknown) => void>();
  private adminNumber = 0;
  private stopping = false;

  constructor(options: SupervisorOptions<Shared>) {
    this.options = options;
  }

  /** Settles when every thread is ready; rejects when one dies before that. */
  async start(): Promise<void> {
    for (const role of startOrder) {
      for (let index = 0; index < this.options.counts[role]; index += 1) this.threads.push(this.spawn({ role, index }));
    }
    for (const [position, thread] of this.threads.entries()) {
      for (const other of this.threads.slice(position + 1)) connect(thread, other, false);
    }
    for (const role of startOrder) {
      const starting = this.threads.filter((thread) => thread.name.role === role);
      for (const thread of starting) post(thread, { type: 'start' });
      await Promise.all(starting.map((thread) => thread.ready));
    }
  }

  /** Asks the first gateway on behalf of the operator. */
  admin(request: unknown): Promise<unknown> {
    const gateway = this.threads.find((thread) => thread.name.role === 'gateway');
    if (gateway === undefined) throw new Error('the server has no gateway');
    this.adminNumber += 1;
    const number = this.adminNumber;
    return new Promise((resolve) => {
      this.adminAnswers.set(number, resolve);
      post(gateway, { type: 'admin', request, number });
    });
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const role of [...startOrder].reverse()) {
      await Promise.all(this.threads.filter((thread) => thread.name.role === role).map((thread) => this.end(thread)));
    }
  }

  private spawn(name: ThreadName): Supervised {
    const { boot, counts, shared, entry } = this.options;
    const worker = new Worker(entry, { workerData: { name, boot, counts, shared } satisfies ThreadStart<Shared> });
    const thread: Supervised = { name, worker, ready: Promise.resolve(), deaths: [] };
    thread.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: ThreadReport) => {
        if (message.type === 'ready') resolve();
        else if (message.type === 'adminAnswer') {
          this.adminAnswers.get(message.number)?.(message.answer);
          this.adminAnswers.delete(message.number);
        }
      });
      worker.on('error', (error) => {
        this.options.report({ level: 'error', message: `${name.role} thread ${name.index} failed`, error });
        reject(error);
      });
      worker.on('exit', () => {
        if (!this.stopping) this.replace(thread);
      });
    });
    thread.ready.catch(() => undefined);
    return thread;
  }

  private replace(thread: Supervised): void {
    const now = Date.now();
    thread.deaths = [...thread.deaths.filter((at) => at > now - deathWindowMilliseconds), now];
    if (thread.deaths.length > deathsMax) {
      this.options.gaveUp();
      return;
    }
    const fresh = this.spawn(thread.name);
    thread.worker = fresh.worker;
    thread.ready = fresh.ready;
    for (const other of this.threads) if (other !== thread) connect(thread, other, true);
    post(thread, { type: 'start' });
  }

  private async end(thread: Supervised): Promise<void> {
    const exited = new Promise<void>((resolve) => thread.worker.once('exit', () => resolve()));
    post(thread, { type: 'stop' });
    const deadline = setTimeout(() => {
      this.options.report({
        level: 'error',
        message: `${thread.name.role} thread ${thread.name.index} did not stop in time`,
      });
      void thread.worker.terminate();
    }, threadLimits.stopDeadlineMilliseconds);
    await exited;
    clearTimeout(deadline);
  }
}

/** Network and gateway threads talk to each other and to owners; gateways among themselves for shared streams. */
function connect(one: Supervised, other: Supervised, replaced: boolean): void {
  const channel = new MessageChannel();
  one.worker.postMessage(
    { type: 'peer', peer: other.name, port: channel.port1, replaced: false } satisfies SupervisorMessage,
    [channel.port1],
  );
  other.worker.postMessage(
    { type: 'peer', peer: one.name, port: channel.port2, replaced } satisfies SupervisorMessage,
    [channel.port2],
  );
}

function post(thread: Supervised, message: SupervisorMessage): void {
  thread.worker.postMessage(message);
}
