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

/** `read` and `write` reject where nobody answers. */
export interface LeaseStore {
  read(): Promise<LeaseEntry | undefined>;
  /** The new revision; undefined where the entry does not have this one, 0 for none, any more. */
  write(holder: Holder | undefined, revision: number): Promise<number | undefined>;
  /** Tells those who wait with which revision the lease was given back. That may not reach them: they look as well. */
  tellGivenBack?(revision: number): void;
  /** Calls back when that is told. Returns what ends it. */
  whenGivenBack?(told: (revision: number) => void): () => void;
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
  /** An answer is waited for that long: who had none tries again several times before it is too late. */
  answerMilliseconds: 1_000,
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
  const givenBack = new GivenBack(wish.store);
  try {
    for (;;) {
      try {
        const free = givenBack.take();
        const lease = free === undefined ? await tryToTake(wish, look) : await take(wish, free);
        if (lease !== undefined) return lease;
      } catch (error) {
        if (!(error instanceof LeaseUnanswered)) throw error;
      }
      await Promise.race([wish.pause(leaseTimes.lookMilliseconds), givenBack.told]);
    }
  } finally {
    givenBack.end();
  }
}

/** What was told of the lease's being given back, and not tried yet. */
class GivenBack {
  told: Promise<void>;
  readonly end: () => void;
  private revision: number | undefined;
  private tell: () => void = () => undefined;

  constructor(store: LeaseStore) {
    this.told = this.next();
    const ended = store.whenGivenBack?.((revision) => {
      this.revision = revision;
      this.tell();
    });
    this.end = () => ended?.();
  }

  take(): number | undefined {
    const revision = this.revision;
    if (revision === undefined) return undefined;
    this.revision = undefined;
    this.told = this.next();
    return revision;
  }

  private next(): Promise<void> {
    return new Promise((resolve) => {
      this.tell = resolve;
    });
  }
}

/** Which revision was seen, and since when. */
interface Look {
  revision: number;
  at: number;
}

async function tryToTake(wish: LeaseWish, look: Look): Promise<Lease | undefined> {
  const { store, clock, former } = wish;
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
  return await take(wish, entry?.revision ?? 0);
}

/** Undefined where it has not this revision any more. */
async function take(wish: LeaseWish, revisionBefore: number): Promise<Lease | undefined> {
  const { store, clock, holder } = wish;
  const sentAt = clock.monotonic();
  const revision = await store.write(holder, revisionBefore);
  return revision === undefined ? undefined : new Lease(wish, { revision, renewedAt: sentAt });
}

export class Lease {
  /** With which it was taken. */
  readonly revision: number;
  private readonly ports: LeasePorts;
  private readonly holder: Holder;
  private current: number;
  private renewedAt: number;
  /** When the first renewal since then was sent that was not answered. */
  private unansweredAt: number | undefined;
  private renewing: Promise<void> = Promise.resolve();
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
    // One that is under way would be first.
    await this.renewing;
    const { store } = this.ports;
    const revision = (await store.write(undefined, this.current)) ?? (await this.giveBackUnanswered());
    if (revision !== undefined) store.tellGivenBack?.(revision);
  }

  /** A renewal without an answer may have arrived. */
  private async giveBackUnanswered(): Promise<number | undefined> {
    const { store } = this.ports;
    const entry = await store.read();
    return entry?.holder?.session === this.holder.session ? await store.write(undefined, entry.revision) : undefined;
  }

  private tell(): void {
    this.ports.heldUntil?.(this.renewedAt + leaseTimes.serveMilliseconds);
  }

  private async renewOn(): Promise<void> {
    const { clock, pause } = this.ports;
    while (this.isHeld) {
      const due = this.renewedAt + leaseTimes.renewMilliseconds - clock.monotonic();
      await pause(Math.max(due, leaseTimes.lookMilliseconds));
      if (!this.isHeld) return;
      this.renewing = this.renew();
      await this.renewing;
    }
  }

  private async renew(): Promise<void> {
    const { store, clock } = this.ports;
    const sentAt = clock.monotonic();
    try {
      const revision = await store.write(this.holder, this.current);
      if (revision !== undefined) {
        this.renewed(revision, sentAt);
        return;
      }
      // An earlier renewal may have arrived without an answer.
      const entry = await store.read();
      if (entry?.holder?.session !== this.holder.session) this.isOver = true;
      else if (entry.revision > this.current) this.renewed(entry.revision, this.unansweredAt ?? this.renewedAt);
    } catch (error) {
      // Nobody answers: the next renewal tries again, for as long as this node may serve.
      if (!(error instanceof LeaseUnanswered)) throw error;
      this.unansweredAt ??= sentAt;
    }
  }

  private renewed(revision: number, sentAt: number): void {
    this.current = revision;
    this.renewedAt = sentAt;
    this.unansweredAt = undefined;
    this.tell();
  }
}

export class LeaseUnanswered extends Error {
  constructor(cause: unknown) {
    super('the servers of the lease do not answer', { cause });
    this.name = 'LeaseUnanswered';
  }
}
