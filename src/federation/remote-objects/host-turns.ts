/**
 * Bounds parallel work in total and per host; waiting hosts take turns. A host with much or slow work delays only
 * itself.
 */

export interface HostTurnsBounds {
  readonly runningMax: number;
  readonly perHostMax: number;
}

interface Host {
  running: number;
  readonly waiting: (() => void)[];
}

export class HostTurns {
  private readonly bounds: HostTurnsBounds;
  /** Hosts with running or waiting work; the one that had a turn last is at the end. */
  private readonly hosts = new Map<string, Host>();
  private running = 0;

  constructor(bounds: HostTurnsBounds) {
    this.bounds = bounds;
  }

  /** Settles when it is the caller's turn, which `leave` ends. */
  enter(name: string): Promise<void> {
    return new Promise((resolve) => {
      const host = this.hosts.get(name) ?? { running: 0, waiting: [] };
      this.hosts.set(name, host);
      host.waiting.push(resolve);
      this.admit();
    });
  }

  /** How many wait for their turn with this host. */
  waitingFor(name: string): number {
    return this.hosts.get(name)?.waiting.length ?? 0;
  }

  leave(name: string): void {
    const host = this.hosts.get(name);
    if (host === undefined) return;
    host.running -= 1;
    this.running -= 1;
    if (host.running === 0 && host.waiting.length === 0) this.hosts.delete(name);
    this.admit();
  }

  /** Lets the next one in, if there is room. Only one: each event makes room for no more. */
  private admit(): void {
    if (this.running >= this.bounds.runningMax) return;
    for (const [name, host] of this.hosts) {
      if (host.running >= this.bounds.perHostMax) continue;
      const start = host.waiting.shift();
      if (start === undefined) continue;
      host.running += 1;
      this.running += 1;
      this.hosts.delete(name);
      this.hosts.set(name, host);
      start();
      return;
    }
  }
}
