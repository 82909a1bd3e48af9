/**
 * Who serves: one entry that every node can read, and changes only where it has the revision that the node has read.
 *
 * INVARIANTS
 * 1. Whoever serves renews the entry, and stops serving once it could not for a while, by its own clock. Others take it over
 *    only after it has not changed for longer than that, by theirs; nobody compares clocks. In between it may still renew the
 *    entry, and serves on: nobody else could have begun.
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

/** What whoever has changed the entry says of it. */
export interface LeaseNews {
  readonly revision: number;
  readonly isGivenBack: boolean;
}

/** `read` and `write` reject where nobody answers. */
export interface LeaseStore {
  read(): Promise<LeaseEntry | undefined>;
  /** The new revision; undefined where the entry does not have this one, 0 for none, any more. */
  write(holder: Holder | undefined, revision: number): Promise<number | undefined>;
  /** Tells those who wait. That may not reach them: they look as well. */
  tell?(news: LeaseNews): void;
  /** Calls back when something is told. Returns what ends it. */
  whenTold?(told: (news: LeaseNews) => void): () => void;
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
  /** Without one for so long it gives the lease up: soon others may have it. */
  keepMilliseconds: 9_000,
  /** Unchanged for so long the entry is taken over. */
  takeMilliseconds: 10_000,
  lookMilliseconds: 250,
} as const;

/** Below all revisions. */
const unknown = -1;

export interface LeaseWish extends LeasePorts {
  readonly holder: Holder;
  /** The session of an earlier run of this node, which is over for certain. */
  readonly former: string | undefined;
  /** Called before each look. May throw, which ends the attempt. */
  goOn?(): void;
  /** Called at each look that was answered, with who serves; undefined where nobody does. May reject, which ends the attempt. */
  waiting(serving: Holder | undefined, revision: number): Promise<void>;
}

/** Resolves when this node holds the lease. */
export async function takeLease(wish: LeaseWish): Promise<Lease> {
  const watch = new LeaseWatch(wish);
  try {
    for (;;) {
      const { free } = watch;
      if (free !== undefined) {
        const lease = await takenOrNot(wish, free);
        if (lease instanceof Lease) return lease;
        // Somebody was first, or a taking of its own without an answer.
        if (lease === 'changed') watch.forget();
      }
      await Promise.race([wish.pause(watch.milliseconds), watch.news]);
    }
  } finally {
    watch.end();
  }
}

/** What a node that waits knows of the entry. It looks again and again, and a look that is slow keeps it from nothing. */
class LeaseWatch {
  /** Resolves when there may be something to take. */
  news: Promise<void>;
  private readonly wish: LeaseWish;
  private readonly endTelling: (() => void) | undefined;
  private isEnded = false;
  private failure: unknown;
  /** The highest that was seen or told, and since when it is known. */
  private revision = unknown;
  private since = 0;
  /** The revision at which nobody holds it. */
  private given: number | undefined;
  private wake: () => void = () => undefined;

  constructor(wish: LeaseWish) {
    this.wish = wish;
    this.news = this.nextNews();
    this.endTelling = wish.store.whenTold?.((news) => this.told(news));
    void this.lookOn();
  }

  /** The revision at which it may be taken; undefined where another node holds it. Throws what ends the attempt. */
  get free(): number | undefined {
    if (this.failure !== undefined) throw this.failure;
    const isOver = this.revision !== unknown && this.left <= 0;
    return isOver ? this.revision : this.given;
  }

  /** Until it is over, or until what was not answered is tried again. */
  get milliseconds(): number {
    const { left } = this;
    return left > 0 ? Math.min(left, leaseTimes.lookMilliseconds) : leaseTimes.lookMilliseconds;
  }

  forget(): void {
    this.revision = unknown;
    this.given = undefined;
  }

  end(): void {
    this.isEnded = true;
    this.endTelling?.();
  }

  /** Whether there is a holder that has renewed it lately. */
  private get mayBeServed(): boolean {
    return this.given === undefined && this.wish.clock.monotonic() - this.since < leaseTimes.serveMilliseconds;
  }

  /** Until it was unchanged for as long as its holder may be silent. */
  private get left(): number {
    return this.since + leaseTimes.takeMilliseconds - this.wish.clock.monotonic();
  }

  private async lookOn(): Promise<void> {
    try {
      while (!this.isEnded) {
        this.wish.goOn?.();
        await this.look();
        await this.wish.pause(leaseTimes.lookMilliseconds);
      }
    } catch (error) {
      this.failure = error;
      this.tell();
    }
  }

  private async look(): Promise<void> {
    const { store, former, holder, waiting } = this.wish;
    const entry = await unlessUnanswered(() => store.read());
    // Whoever answers may know less than what was told.
    if (this.isEnded || entry === 'unanswered' || (entry !== undefined && entry.revision < this.revision)) return;
    if (entry !== undefined) this.saw(entry.revision);
    const serving = entry?.holder;
    // A taking of its own that was not answered may have arrived.
    if (entry === undefined || serving === undefined || [former, holder.session].includes(serving.session)) {
      this.given = entry?.revision ?? 0;
      this.tell();
    }
    await waiting(this.mayBeServed ? serving : undefined, entry?.revision ?? 0);
  }

  private told({ revision, isGivenBack }: LeaseNews): void {
    if (revision <= this.revision) return;
    this.saw(revision);
    if (!isGivenBack) return;
    this.given = revision;
    this.tell();
  }

  private saw(revision: number): void {
    if (revision === this.revision) return;
    this.revision = revision;
    this.since = this.wish.clock.monotonic();
    this.given = undefined;
  }

  private tell(): void {
    this.wake();
    this.news = this.nextNews();
  }

  private nextNews(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}

async function takenOrNot(wish: LeaseWish, free: number): Promise<Lease | 'changed' | 'unanswered'> {
  return (await unlessUnanswered(() => take(wish, free))) ?? 'changed';
}

async function unlessUnanswered<Value>(ask: () => Promise<Value>): Promise<Value | 'unanswered'> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof LeaseUnanswered)) throw error;
    return 'unanswered';
  }
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
    return this.isRenewedWithin(leaseTimes.serveMilliseconds);
  }

  /** Renews it until it is lost, or given back. Resolves with whether it was lost. */
  async keep(): Promise<boolean> {
    void this.renewOn();
    while (this.isKept) await this.ports.pause(leaseTimes.lookMilliseconds);
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
    if (revision !== undefined) store.tell?.({ revision, isGivenBack: true });
  }

  /** A renewal without an answer may have arrived. */
  private async giveBackUnanswered(): Promise<number | undefined> {
    const { store } = this.ports;
    const entry = await store.read();
    return entry?.holder?.session === this.holder.session ? await store.write(undefined, entry.revision) : undefined;
  }

  /** Whether nobody else can have it yet, so that it may be renewed. */
  private get isKept(): boolean {
    return this.isRenewedWithin(leaseTimes.keepMilliseconds);
  }

  private isRenewedWithin(milliseconds: number): boolean {
    return !this.isOver && this.ports.clock.monotonic() - this.renewedAt < milliseconds;
  }

  private tell(): void {
    this.ports.heldUntil?.(this.renewedAt + leaseTimes.serveMilliseconds);
  }

  private async renewOn(): Promise<void> {
    const { clock, pause } = this.ports;
    while (this.isKept) {
      const due = this.renewedAt + leaseTimes.renewMilliseconds - clock.monotonic();
      await pause(Math.max(due, leaseTimes.lookMilliseconds));
      if (!this.isKept) return;
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
      // Nobody answers: the next renewal tries again, for as long as nobody else can have it.
      if (!(error instanceof LeaseUnanswered)) throw error;
      this.unansweredAt ??= sentAt;
    }
  }

  private renewed(revision: number, sentAt: number): void {
    this.current = revision;
    this.renewedAt = sentAt;
    this.unansweredAt = undefined;
    this.ports.store.tell?.({ revision, isGivenBack: false });
    this.tell();
  }
}

export class LeaseUnanswered extends Error {
  constructor(cause: unknown) {
    super('the servers of the lease do not answer', { cause });
    this.name = 'LeaseUnanswered';
  }
}
