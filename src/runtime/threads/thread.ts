/**
 * A thread as it sees itself: its links to the others, its life from start to stop. What it does is its role's business
 * (a `Service`), composed in main.ts.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Link } from './link.ts';
import {
  type Role,
  type SupervisorMessage,
  type ThreadMessage,
  type ThreadName,
  type ThreadReport,
  threadOfNumber,
} from './messages.ts';

export interface ThreadStart<Shared> {
  readonly name: ThreadName;
  /** A number of this run of the program, so that handles of an earlier one are recognised. */
  readonly boot: number;
  readonly counts: Readonly<Record<Role, number>>;
  readonly shared: Shared;
}

export interface Service {
  /** Opens what the role serves; the thread is reported ready when this settles. */
  start(): Promise<void>;
  stop(): Promise<void>;
  receive(message: ThreadMessage, from: Link): void;
  /** A peer was attached; `replaced` when it stands in for one that died. */
  attached(link: Link, replaced: boolean): void;
  /** A request of the operator's command line; owners do not answer any. */
  admin?(request: unknown): Promise<unknown>;
}

export class Thread<Shared> {
  readonly name: ThreadName;
  readonly boot: number;
  readonly counts: Readonly<Record<Role, number>>;
  readonly shared: Shared;
  private readonly links = new Map<string, Link>();
  private service: Service | undefined;

  constructor(start: ThreadStart<Shared>) {
    this.name = start.name;
    this.boot = start.boot;
    this.counts = start.counts;
    this.shared = start.shared;
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

  *linksTo(role: Role): Generator<Link> {
    for (const link of this.links.values()) if (link.peer.role === role) yield link;
  }

  run(service: Service): void {
    this.service = service;
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
      case 'admin':
        void this.service!.admin?.(message.request).then((answer) =>
          report({ type: 'adminAnswer', number: message.number, answer }),
        );
        return;
      case 'stop':
        void this.service!.stop().then(() => {
          report({ type: 'stopped' });
          for (const link of this.links.values()) link.close();
          parentPort!.close();
        });
    }
  }

  private attach(message: Extract<SupervisorMessage, { type: 'peer' }>): void {
    const key = `${message.peer.role}${message.peer.index}`;
    this.links.get(key)?.close();
    const link = new Link(message.peer, message.port, (received, from) => this.service!.receive(received, from));
    this.links.set(key, link);
    this.service!.attached(link, message.replaced);
  }
}

/** The thread that this worker is. */
export function currentThread<Shared>(): Thread<Shared> {
  return new Thread(workerData as ThreadStart<Shared>);
}

function report(message: ThreadReport): void {
  parentPort!.postMessage(message);
}
