/** Bounds running and waiting GETs per host: no host is flooded, and a slow one does not delay others. */

interface HostQueue {
  running: number;
  waiting: (() => void)[];
}

export class HostGate {
  private readonly runningMax: number;
  private readonly waitingMax: number;
  /** Only hosts with running requests. */
  private readonly hosts = new Map<string, HostQueue>();

  constructor(runningMax: number, waitingMax: number) {
    this.runningMax = runningMax;
    this.waitingMax = waitingMax;
  }

  /**
   * Enters a host, at once or when it is the caller's turn. 'entered' requires a `leave`; 'full' means that too many
   * wait already, 'aborted' that the signal came first.
   */
  enter(host: string, signal: AbortSignal): Promise<'entered' | 'aborted'> | 'entered' | 'full' {
    const queue = this.hosts.get(host);
    if (queue === undefined) {
      this.hosts.set(host, { running: 1, waiting: [] });
      return 'entered';
    }
    if (queue.running < this.runningMax) {
      queue.running += 1;
      return 'entered';
    }
    return queue.waiting.length < this.waitingMax ? wait(queue, signal) : 'full';
  }

  /** Leaves a host that was entered; the next waiting request enters. */
  leave(host: string): void {
    const queue = this.hosts.get(host);
    if (queue === undefined) return;
    const next = queue.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    queue.running -= 1;
    if (queue.running === 0) this.hosts.delete(host);
  }
}

function wait(queue: HostQueue, signal: AbortSignal): Promise<'entered' | 'aborted'> {
  return new Promise((resolve) => {
    const enter = () => {
      signal.removeEventListener('abort', abandon);
      resolve('entered');
    };
    const abandon = () => {
      queue.waiting = queue.waiting.filter((other) => other !== enter);
      resolve('aborted');
    };
    signal.addEventListener('abort', abandon, { once: true });
    queue.waiting.push(enter);
  });
}
