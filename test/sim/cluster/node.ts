/**
 * One node in the simulation: its disks, its life from the start over standing by to serving, and its deaths. The lease, the logs
 * and what follows them are the real ones; a partition is reduced to what its log hears of it.
 */
import { type Lease, LeaseUnanswered, takeLease } from '../../../src/runtime/cluster/lease.ts';
import { StreamLog } from '../../../src/runtime/cluster/stream-log.ts';
import type { ViewStore } from '../../../src/runtime/cluster/view.ts';
import { isRefusal, type LogBatch, LogRefusal, type LogTail } from '../../../src/runtime/storage/log.ts';
import { storedTail } from '../../../src/runtime/storage/log-state.ts';
import { meta, startingMeta, streamPlace } from '../../../src/runtime/storage/machine.ts';
import { SnapshotReader } from '../../../src/runtime/storage/reader.ts';
import { follow, followOn } from '../../../src/server/cluster/follow.ts';
import { type MemorySnapshot, MemoryStore } from '../../support/memory-log.ts';
import type { SeededRandom } from '../random.ts';
import type { ClusterWorld } from './cluster-world.ts';
import { type End, LinkedLease, LinkedStream, type LinkFaults } from './links.ts';

export const partitions = 2;
const appendsMax = 4;
/** A node that tells nothing for so long is gone from the list of nodes (server/cluster/nodes.ts). */
const goneMilliseconds = 12_000;
const key = (text: string) => Buffer.from(text, 'latin1');
const lastIdKey = key('last id');

/** A disk, as the log has it. A batch that is being written when the node dies is on it or not. */
class Disk implements ViewStore {
  readonly reader: MemorySnapshot;
  private readonly store: MemoryStore;
  private readonly run: Run;

  constructor(store: MemoryStore, run: Run) {
    this.store = store;
    this.run = run;
    this.reader = store.snapshot();
  }

  append(batch: LogBatch, completed: (refusal: LogRefusal | undefined) => void): void {
    const { run } = this;
    const isRefused = run.random.chance(run.world.faults.diskFull);
    run.after(run.random.between(0, 4), () => {
      if (!isRefused) this.store.apply(batch);
      run.after(run.random.between(0, 2), () => completed(isRefused ? new LogRefusal('full') : undefined));
    });
  }

  close(): Promise<void> {
    this.store.release(this.reader);
    return Promise.resolve();
  }
}

interface Pending {
  readonly write: number;
  readonly position: number;
  readonly id: number;
}

/** What an owner does with its log: several appends under way, and the tail asked after a refusal. */
class Owner {
  readonly partition: number;
  private readonly run: Run;
  private readonly log: StreamLog;
  private readonly epoch: number;
  private position = 0;
  private id = 0;
  private pending: Pending[] = [];
  private isSettling = false;
  isOpen = false;

  constructor(run: Run, partition: number, log: StreamLog, epoch: number) {
    this.run = run;
    this.partition = partition;
    this.log = log;
    this.epoch = epoch;
  }

  open(): Promise<boolean> {
    return new Promise((resolve) =>
      this.log.open(this.epoch, (answer) => {
        if (!isRefusal(answer)) {
          this.goOn(answer);
          this.isOpen = true;
        }
        resolve(!isRefusal(answer));
      }),
    );
  }

  get isBusy(): boolean {
    return this.pending.length > 0 && !this.isSettling;
  }

  /** The positions that readers see. */
  get seen(): number {
    this.log.reader.refresh();
    return storedTail(this.log.reader).position;
  }

  write(write: number, bytes: Uint8Array): void {
    if (!this.isOpen || this.isSettling || this.pending.length >= appendsMax) return;
    this.position += 1;
    // By the wall clock, and above all ids that this partition has given.
    this.id = Math.max(this.id + 1, this.run.world.time.now + this.run.node.wallShift);
    const { position, id } = this;
    const counters = meta.value.encode({ ...startingMeta, commit: position, epoch: this.epoch });
    const pending = { write, position, id };
    this.pending.push(pending);
    const batch: LogBatch = {
      keys: [key(`w${write}`), lastIdKey, meta.encode([0])],
      values: [bytes, key(String(id)), counters],
    };
    this.log.append(batch, (refusal) => this.completed(pending, refusal));
  }

  private completed(pending: Pending, refusal: LogRefusal | undefined): void {
    const { history } = this.run.world;
    if (refusal === undefined) {
      this.pending.shift();
      history.acknowledged(this.run.node.name, this.partition, pending);
      return;
    }
    if (refusal.reason === 'fenced') {
      for (const { write } of this.pending) history.refused(write);
      this.pending = [];
      this.isOpen = false;
    }
    if (this.isSettling || !this.isOpen) return;
    this.isSettling = true;
    this.settle();
  }

  private settle(): void {
    this.log.tail((answer) => {
      if (!isRefusal(answer)) {
        this.isSettling = false;
        this.goOn(answer);
      } else if (answer.reason === 'fenced') this.isOpen = false;
      else this.run.after(100, () => this.settle());
    });
  }

  /** What the log has counts as committed, and what it has not is refused. */
  private goOn({ position }: LogTail): void {
    const { history } = this.run.world;
    for (const pending of this.pending)
      if (pending.position <= position) history.acknowledged(this.run.node.name, this.partition, pending);
      else history.refused(pending.write);
    this.pending = [];
    this.position = position;
    const stored = this.log.reader.get(lastIdKey);
    this.id = stored === undefined ? 0 : Number(Buffer.from(stored).toString('latin1'));
  }
}

/** A run of the program of a node. */
class Run implements End {
  readonly world: ClusterWorld;
  readonly node: SimNode;
  readonly random: SeededRandom;
  readonly session: string;
  isDead = false;
  lease: Lease | undefined;
  owners: readonly Owner[] = [];
  followed: readonly StreamLog[] = [];
  private readonly opened: Disk[] = [];

  constructor(node: SimNode, session: string) {
    this.world = node.world;
    this.node = node;
    this.random = node.random;
    this.session = session;
  }

  end(): void {
    this.isDead = true;
    for (const disk of this.opened) void disk.close();
  }

  get isCut(): boolean {
    return this.node.isCut || this.world.isSilent;
  }

  get faults(): LinkFaults {
    return this.world.faults;
  }

  arrive(milliseconds: number, run: () => void): void {
    this.world.time.after(milliseconds, run);
  }

  after(milliseconds: number, run: () => void): void {
    this.world.time.after(milliseconds, () => {
      if (this.isDead) return;
      if (this.node.isAsleep) this.node.missed.push(() => !this.isDead && run());
      else run();
    });
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve));
  }

  /** By the rule that every answer of a node goes by. */
  get serves(): boolean {
    return !this.isDead && this.owners.length > 0 && this.lease?.isHeld === true;
  }

  /** Whether it does anything, and would answer. */
  get answers(): boolean {
    return this.serves && !this.node.isAsleep;
  }

  async live(): Promise<void> {
    const { world, node } = this;
    const clock = { monotonic: () => world.time.now };
    const pause = (milliseconds: number) => this.pause(milliseconds);
    this.followed = this.logs('follower');
    const caughtUp = () => undefined;
    const followed = () => follow(this.followed, { caughtUp, pause });
    await followed();
    const following = followOn(this.followed, { caughtUp, pause });
    const lease = await takeLease({
      ...{ store: new LinkedLease(world.lease, this), clock, pause },
      holder: { session: this.session, address: node.name },
      former: node.session,
      goOn: () => following.assertGoesOn(),
      waiting: () => Promise.resolve(),
    }).finally(() => following.end());
    this.lease = lease;
    void lease.keep().then((isLost) => isLost && node.die());
    await followed();
    node.session = this.session;
    const owners = this.logs('owner').map(
      (log, partition) => new Owner(this, partition, log, world.epoch + lease.revision),
    );
    for (const owner of owners) {
      while (!(await owner.open())) await this.pause(200);
    }
    this.followed = [];
    this.owners = owners;
  }

  private logs(role: string): StreamLog[] {
    const { world, node } = this;
    const now = () => world.time.now;
    return node.disks.map((disk, partition) => {
      const store = new Disk(disk, this);
      this.opened.push(store);
      return new StreamLog({
        ...{ stream: new LinkedStream(world.streams[partition]!, this, now), store },
        writer: `${this.session} ${role} ${partition}`,
        clock: { monotonic: now },
        pause: (milliseconds) => this.pause(milliseconds),
      });
    });
  }
}

export class SimNode {
  readonly world: ClusterWorld;
  readonly name: string;
  readonly random: SeededRandom;
  /** How far its wall clock is from that of others. */
  wallShift: number;
  disks: MemoryStore[] = Array.from({ length: partitions }, () => new MemoryStore());
  /** With which its folder last held the lease. */
  session: string | undefined;
  isCut = false;
  isAsleep = false;
  /** Why it does not start, as a sentence. */
  frozen: string | undefined;
  /** What happened while it slept. */
  missed: (() => void)[] = [];
  /** The streams were truncated while it was silent. */
  isPassedOver = false;
  private toldAt = 0;
  private runs = 0;
  private current: Run | undefined;

  constructor(world: ClusterWorld, name: string, random: SeededRandom) {
    this.world = world;
    this.name = name;
    this.random = random;
    this.wallShift = random.between(-5_000, 5_000);
  }

  get run(): Run | undefined {
    return this.current;
  }

  /** A clean end: nothing is under way any more, and the lease is given back. */
  async stop(): Promise<void> {
    const run = this.current;
    if (run?.lease === undefined) return this.die();
    const owners = run.owners;
    run.owners = [];
    while (owners.some((owner) => owner.isBusy)) await run.pause(5);
    try {
      await run.lease.giveBack();
    } catch (error) {
      if (!(error instanceof LeaseUnanswered)) throw error;
    }
    this.die();
  }

  get isRunning(): boolean {
    return this.current !== undefined;
  }

  start(): void {
    if (this.current !== undefined || this.frozen !== undefined) return;
    this.runs += 1;
    const run = new Run(this, `${this.name} ${this.runs}`);
    this.current = run;
    const startedAt = this.world.time.now;
    run.live().catch((error: unknown) => {
      if (run.isDead) return;
      this.die();
      this.world.stopped(this, startedAt, error);
    });
  }

  /** What it had sent is on its way. It starts again by itself, sooner or later. */
  die(): void {
    if (this.current === undefined) return;
    this.current.end();
    this.current = undefined;
    this.missed = [];
    this.isAsleep = false;
    this.world.time.after(this.random.between(200, this.random.chance(0.2) ? 40_000 : 3_000), () => {
      if (this.world.mayStart) this.start();
    });
  }

  fallAsleep(): void {
    this.isAsleep = this.isRunning;
  }

  wake(): void {
    this.isAsleep = false;
    const missed = this.missed;
    this.missed = [];
    for (const happened of missed) this.world.time.after(0, happened);
  }

  /** At every moment: others hear of it, unless it sleeps or is cut off. */
  tell(): void {
    if (!this.isAsleep && this.current?.isCut === false) this.toldAt = this.world.time.now;
  }

  /** It runs, and is gone from the list of nodes. */
  get isSilent(): boolean {
    return this.isRunning && this.world.time.now - this.toldAt > goneMilliseconds;
  }

  /** What everybody sees of how far it has read while it stands by; undefined where it does not stand by, or is silent. */
  get read(): readonly number[] | undefined {
    const run = this.current;
    if (run === undefined || run.followed.length === 0 || this.isSilent) return undefined;
    return run.followed.map(({ sequence }) => sequence);
  }

  placeOf(partition: number) {
    return new SnapshotReader(this.disks[partition]!).get(streamPlace, [0]);
  }
}
