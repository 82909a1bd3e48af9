/**
 * Who serves: one entry that every node can read, and changes only where it has the revision that the node has read.
 *
 * INVARIANTS
 * 1. Whoever serves renews the entry, and stops serving once it could not for a while, by its own clock. Others take it over
 *    only after it has not changed for longer than that, by theirs; nobody compares clocks.
 * 2. Each taking has a revision above all earlier ones, from which the epoch of the logs follows. The lease decides who should
 *    serve; that nobody else writes is up to the logs.
 */
import type { Clock } from '../ports.ts';

/** A run of a node. */
export interface Holder {
  /** Random, of one taking. */
  readonly session: string;
  /** The origin that it serves. */
  readonly address: string;
  /** Where the other nodes reach this one, where it says so. */
  readonly node?: string | undefined;
}

export interface LeaseEntry {
  readonly revision: number;
  /** Undefined where it was given back. */
  readonly holder: Holder | undefined;
}

/** Both reject where nobody answers. */
export interface LeaseStore {
  read(): Promise<LeaseEntry | undefined>;
  /** The new revision; undefined where the entry does not have this one, 0 for none, any more. */
  write(holder: Holder | undefined, revision: number): Promise<number | undefined>;
}

export interface LeasePorts {
  readonly store: LeaseStore;
  readonly clock: Pick<Clock, 'monotonic'>;
  pause(milliseconds: number): Promise<void>;
  /** The lease was taken or renewed: until then this node may serve. */
  heldUntil?(until: number): void;
}

export const leaseTimes = {
  renewMilliseconds: 2_000,
  /** Without a renewal for so long a node does not serve. */
  serveMilliseconds: 6_000,
  /** Unchanged for so long the entry is taken over. */
  takeMilliseconds: 10_000,
  lookMilliseconds: 250,
} as const;

export interface LeaseWish extends LeasePorts {
  readonly holder: Holder;
  /** The session of an earlier run of this node, which is over for certain. */
  readonly former: string | undefined;
  /** Another node serves; called at each look. May reject, which ends the attempt. */
  waiting(serving: Holder, revision: number): Promise<void>;
}

/** Resolves when this node holds the lease. */
export async function takeLease(wish: LeaseWish): Promise<Lease> {
  const look: Look = { revision: -1, at: 0 };
  for (;;) {
    try {
      const lease = await tryToTake(wish, look);
      if (lease !== undefined) return lease;
    } catch (error) {
      if (!(error instanceof LeaseUnanswered)) throw error;
    }
    await wish.pause(leaseTimes.lookMilliseconds);
  }
}

/** Which revision was seen, and since when. */
interface Look {
  revision: number;
  at: number;
}

async function tryToTake(wish: LeaseWish, look: Look): Promise<Lease | undefined> {
  const { store, clock, holder, former } = wish;
  const askedAt = clock.monotonic();
  const entry = await store.read();
  if (entry !== undefined && entry.revision !== look.revision) {
    look.revision = entry.revision;
    look.at = clock.monotonic();
  }
  const serving = entry?.holder;
  const isOver = serving === undefined || serving.session === former;
  if (entry !== undefined && serving !== undefined && !isOver && askedAt - look.at < leaseTimes.takeMilliseconds) {
    await wish.waiting(serving, entry.revision);
    return undefined;
  }
  const sentAt = clock.monotonic();
  const revision = await store.write(holder, entry?.revision ?? 0);
  return revision === undefined ? undefined : new Lease(wish, { revision, renewedAt: sentAt });
}

export class Lease {
  /** With which it was taken. */
  readonly revision: number;
  private readonly ports: LeasePorts;
  private readonly holder: Holder;
  private current: number;
  private renewedAt: number;
  private isOver = false;
  private isGivenBack = false;

  constructor(
    { holder, ...ports }: LeasePorts & { readonly holder: Holder },
    taken: { revision: number; renewedAt: number },
  ) {
    this.ports = ports;
    this.holder = holder;
    this.revision = taken.revision;
    this.current = taken.revision;
    this.renewedAt = taken.renewedAt;
    this.tell();
  }

  /** Whether this node may serve now. */
  get isHeld(): boolean {
    return !this.isOver && this.ports.clock.monotonic() - this.renewedAt < leaseTimes.serveMilliseconds;
  }

  /** Renews it until it is lost, or given back. Resolves with whether it was lost. */
  async keep(): Promise<boolean> {
    void this.renewOn();
    while (this.isHeld) await this.ports.pause(leaseTimes.lookMilliseconds);
    const isLost = !this.isGivenBack;
    this.isOver = true;
    return isLost;
  }

  /** The next node need not wait. Rejects where nobody answers. */
  async giveBack(): Promise<void> {
    if (this.isOver) return;
    this.isGivenBack = true;
    this.isOver = true;
    await this.ports.store.write(undefined, this.current);
  }

  private tell(): void {
    this.ports.heldUntil?.(this.renewedAt + leaseTimes.serveMilliseconds);
  }

  private async renewOn(): Promise<void> {
    const { clock, pause } = this.ports;
    while (this.isHeld) {
      const due = this.renewedAt + leaseTimes.renewMilliseconds - clock.monotonic();
      await pause(Math.max(due, leaseTimes.lookMilliseconds));
      if (this.isHeld) await this.renew();
    }
  }

  private async renew(): Promise<void> {
    const { store, clock } = this.ports;
    try {
      const sentAt = clock.monotonic();
      const revision = await store.write(this.holder, this.current);
      if (revision !== undefined) {
        this.current = revision;
        this.renewedAt = sentAt;
        this.tell();
        return;
      }
      // An earlier renewal may have arrived without an answer.
      const entry = await store.read();
      if (entry?.holder?.session === this.holder.session) this.current = entry.revision;
      else this.isOver = true;
    } catch (error) {
      // Nobody answers: the next renewal tries again, for as long as this node may serve.
      if (!(error instanceof LeaseUnanswered)) throw error;
    }
  }
}

export class LeaseUnanswered extends Error {
  constructor(cause: unknown) {
    super('the servers of the lease do not answer', { cause });
    this.name = 'LeaseUnanswered';
  }
}
