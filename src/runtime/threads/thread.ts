/**
 * A thread from its own side: its links to the others, and its life from start to stop. What it does is the business of
 * its role (a `Service`), composed in src/server.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Metrics } from '../metrics/metrics.ts';
import { Backlog } from './backlog.ts';
import { Link } from './link.ts';
import { type MainWatchStart, watchMain } from './main-watch.ts';
import {
  type Role,
  type SupervisorMessage,
  type ThreadMessage,
  type ThreadName,
  type ThreadReport,
  threadOfNumber,
} from './messages.ts';
import { startBeating } from './pulse.ts';
import { startSampling } from './thread-metrics.ts';
import type { WatchStart } from './turn-watch.ts';

export interface ThreadStart<Shared> {
  readonly name: ThreadName;
  /** Identifies this run of the program, so that handles of an earlier one are recognised. */
  readonly boot: number;
  readonly counts: Readonly<Record<Role, number>>;
  readonly shared: Shared;
  /** How many threads of this name preceded it in this run. */
  readonly life: number;
  /** The memory of its metrics; it outlives the thread. */
  readonly metrics: SharedArrayBuffer;
  /** The memory of its heartbeat. */
  readonly pulse: SharedArrayBuffer;
  readonly mainWatch: MainWatchStart;
  /** For owners: where they record the running message. */
  readonly watch?: WatchStart;
}

export interface Service {
  /** Opens what the role serves; the thread is reported ready when this settles. */
  start(): Promise<void>;
  stop(): Promise<void>;
  receive(message: ThreadMessage, from: Link): void;
  /** A peer was attached; `replaced` when it takes the place of one that died. */
  attached(link: Link, replaced: boolean): void;
  /** For owners: the digests of messages that must not run from now on. */
  poisonChanged?(digests: readonly string[]): void;
  /** A request of the operator's command line; owners do not answer any. */
  admin?(request: unknown): Promise<unknown>;
  /**
   * The thread ends now, stopped or failed: closes synchronously what would take the process down (native sockets
   * would).
   */
  exiting?(): void;
}

export class Thread<Shared> {
  readonly name: ThreadName;
  readonly boot: number;
  readonly counts: Readonly<Record<Role, number>>;
  readonly shared: Shared;
  readonly life: number;
  readonly watch: WatchStart | undefined;
  readonly metrics: Metrics;
  private readonly pulse: SharedArrayBuffer;
  private readonly mainWatch: MainWatchStart;
  private readonly links = new Map<string, Link>();
  private service: Service | undefined;

  constructor(start: ThreadStart<Shared>) {
    this.name = start.name;
    this.boot = start.boot;
    this.counts = start.counts;
    this.shared = start.shared;
    this.life = start.life;
    this.watch = start.watch;
    this.pulse = start.pulse;
    this.mainWatch = start.mainWatch;
    this.metrics = new Metrics(start.metrics);
  }

  /** The link to a peer. Peers are attached before `start`. */
  link(role: Role, index: number): Link {
    const link = this.links.get(`${role}${index}`);
    if (link === undefined) throw new Error(`there is no link to ${role} ${index}`);
    return link;
  }

  /** The link to the thread that a reply handle names. */
  linkOfNumber(number: number): Link {
    const { role, index } = threadOfNumber(number);
    return this.link(role, index);
  }

  run(service: Service): void {
    this.service = service;
    process.on('exit', () => service.exiting?.());
    startBeating(this.pulse);
    watchMain(this.mainWatch);
    startSampling(this.metrics, () => this.links.values());
    parentPort!.on('message', (message: SupervisorMessage) => this.supervised(message));
  }

  private supervised(message: SupervisorMessage): void {
    switch (message.type) {
      case 'peer':
        this.attach(message);
        return;
      case 'start':
        void this.service!.start().then(() => report({ type: 'ready' }));
        return;
      case 'poison':
        this.service!.poisonChanged?.(message.digests);
        return;
      case 'admin':
        void this.admin(message.number, message.request);
        return;
      case 'stop':
        void this.service!.stop().then(() => {
          report({ type: 'stopped' });
          for (const link of this.links.values()) link.close();
          parentPort!.close();
        });
    }
  }

  private async admin(number: number, request: unknown): Promise<void> {
    try {
      report({ type: 'adminAnswer', number, answer: await this.service!.admin?.(request) });
    } catch (error) {
      report({ type: 'adminFailed', number, sentence: error instanceof Error ? error.message : String(error) });
    }
  }

  private attach(message: Extract<SupervisorMessage, { type: 'peer' }>): void {
    const key = `${message.peer.role}${message.peer.index}`;
    this.links.get(key)?.close();
    const link = new Link({
      own: this.name.role,
      peer: message.peer,
      port: message.port,
      backlog: new Backlog(message.backlog, message.side),
      receive: (received, from) => this.service!.receive(received, from),
    });
    this.links.set(key, link);
    this.service!.attached(link, message.replaced);
  }
}

/** The thread of this worker. */
export function currentThread<Shared>(): Thread<Shared> {
  return new Thread(workerData as ThreadStart<Shared>);
}

function report(message: ThreadReport): void {
  parentPort!.postMessage(message);
}
