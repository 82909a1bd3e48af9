/** What a node knows while it stands by: who serves, and how far its files are behind the logs. */
import type { Holder } from '../../runtime/cluster/lease.ts';
import type { Clock } from '../../runtime/ports.ts';

/** The part of a log that is needed. */
interface Followed {
  /** Records that it had when it was last asked, and that were not read yet. */
  readonly unread: number;
  /** The last record that was read. */
  readonly sequence: number;
  readonly bytesRead: number;
}

export interface Lag {
  readonly partition: number;
  readonly records: number;
  /** Since everything that the log had was last read. */
  readonly seconds: number;
}

export class Standby {
  /** Undefined where nobody serves, and until the node knows. */
  private servingNow: Holder | undefined;
  private hasLooked = false;
  private readonly clock: Pick<Clock, 'monotonic'>;
  private following: readonly { readonly log: Followed; caughtUpAt: number }[] = [];
  private isOver = false;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.clock = clock;
  }

  /** Whether this node serves by now. */
  get isServing(): boolean {
    return this.isOver;
  }

  get serving(): Holder | undefined {
    return this.servingNow;
  }

  /** What the lease says; undefined where nobody serves. */
  sees(serving: Holder | undefined): void {
    this.servingNow = serving;
    this.hasLooked = true;
  }

  follows(logs: readonly Followed[]): void {
    const caughtUpAt = this.clock.monotonic();
    this.following = logs.map((log) => ({ log, caughtUpAt }));
  }

  caughtUp(partition: number): void {
    this.following[partition]!.caughtUpAt = this.clock.monotonic();
  }

  /** This node serves from now on. */
  end(): void {
    this.isOver = true;
    this.following = [];
  }

  /** Of each partition; none before the logs are followed, and once this node serves. */
  get lags(): Lag[] {
    const now = this.clock.monotonic();
    return this.following.map(({ log, caughtUpAt }, partition) => {
      const seconds = Math.floor((now - caughtUpAt) / 1_000);
      return { partition, records: log.unread, seconds };
    });
  }

  /** How far the log of each partition was read; none once this node serves. */
  get sequences(): number[] {
    return this.following.map(({ log }) => log.sequence);
  }

  /** Of all logs, since this node began to follow them. */
  get bytesRead(): number {
    return this.following.reduce((sum, { log }) => sum + log.bytesRead, 0);
  }

  /** Of the partition that is furthest behind. */
  get worst(): Omit<Lag, 'partition'> {
    const { lags } = this;
    return {
      records: Math.max(0, ...lags.map(({ records }) => records)),
      seconds: Math.max(0, ...lags.map(({ seconds }) => seconds)),
    };
  }

  /** For operators and clients. */
  get sentence(): string {
    if (!this.hasLooked) return 'This node stands by, and does not know yet who serves.';
    if (this.serving === undefined) return 'This node stands by: nobody serves at the moment.';
    const { address, node } = this.serving;
    return `This node stands by: ${address} is served by ${node === undefined ? 'another one' : `the node ${node}`}.`;
  }
}
