/**
 * A thread from its own side: its links to the others, and its life from start to stop. What it does is the business of
 * its role (a `Service`), composed in src/server.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Metrics } from '../metrics/metrics.ts';
import type { MeasuringThread } from '../metrics/reading.ts';
import type { SpanBatch } from '../tracing/span-recorder.ts';
import { Backlog } from './backlog.ts';
import type { Link } from './link.ts';
import { type MainWatchStart, watchMain } from './main-watch.ts';
import type { SupervisorMessage, ThreadMessage, ThreadReport } from './messages.ts';
import { endOfRound, PortLink } from './port-link.ts';
import { startBeating } from './pulse.ts';
import type { ThreadCounts, ThreadName } from './role.ts';
import { startSampling } from './thread-metrics.ts';
import type { WatchStart } from './turn-watch.ts';

export interface ThreadStart<Shared> {
  readonly name: ThreadName;
  /** Identifies this run of the program, so that handles of an earlier one are recognised. */
  readonly boot: number;
  readonly counts: ThreadCounts;
  readonly shared: Shared;
  /** How many threads of this name preceded it in this run. */
  readonly life: number;
  /** The memory of its metrics; it outlives the thread. */
  readonly metrics: SharedArrayBuffer;
  /** The memory of its heartbeat. */
  readonly pulse: SharedArrayBuffer;
  readonly mainWatch: MainWatchStart;
  /** The metrics memory of all threads, this one included. */
  readonly measured: readonly MeasuringThread[];
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
  readonly counts: ThreadCounts;
  readonly shared: Shared;
  readonly life: number;
  readonly watch: WatchStart | undefined;
  readonly metrics: Metrics;
  /** Of all threads, this one included. */
  readonly measured: readonly MeasuringThread[];
  private readonly pulse: SharedArrayBuffer;
  private readonly mainWatch: MainWatchStart;
  /** By the number of the peer, and by its role and index. */
  private readonly links = new Map<number, Link>();
  private readonly linksOfRole = new Map<string, Link[]>();
  private service: Service | undefined;
  private readonly lastThings: (() => void)[] = [];

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
    this.measured = start.measured;
  }

  /** The link to a peer. Peers are attached before `start`. */
  link(role: string, index: number): Link {
    const link = this.linksOfRole.get(role)?.[index];
    if (link === undefined) throw new Error(`there is no link to ${role} ${index}`);
    return link;
  }

  /** The link to the thread that a reply handle names. */
  linkOfNumber(number: number): Link {
    const link = this.links.get(number);
    if (link === undefined) throw new Error(`there is no link to the thread ${number}`);
    return link;
  }

  /** Hands finished spans to the main thread. */
  sendSpans(batch: SpanBatch): void {
    report({ type: 'spans', batch });
  }

  /** Runs when the service has stopped, before the thread reports that. */
  beforeStopped(callback: () => void): void {
    this.lastThings.push(callback);
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
          for (const callback of this.lastThings) callback();
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
    const { peer, port, backlog, side, replaced } = message;
    this.links.get(peer.number)?.close();
    const link = new PortLink({
      peer,
      port,
      backlog: new Backlog(backlog, side),
      atEndOfRound: endOfRound(this.name.role),
      receive: (received, from) => this.service!.receive(received, from),
    });
    this.links.set(peer.number, link);
    const ofRole = this.linksOfRole.get(peer.role) ?? [];
    ofRole[peer.index] = link;
    this.linksOfRole.set(peer.role, ofRole);
    this.service!.attached(link, replaced);
  }
}

/** The thread of this worker. */
export function currentThread<Shared>(): Thread<Shared> {
  return new Thread(workerData as ThreadStart<Shared>);
}

function report(message: ThreadReport): void {
  parentPort!.postMessage(message);
}
