/**
 * Three nodes, two partitions whose logs are streams, and the entry by which the nodes agree on who serves: under one seed that decides when
 * what arrives or is lost, who dies, sleeps or is cut off, and when a stream loses its end. After it all everybody is well again, and
 * everything that a client was told must be true.
 */
import { examine, goesOnAt } from '../../../src/runtime/cluster/examination.ts';
import { keptFrom } from '../../../src/runtime/cluster/kept-records.ts';
import type { Published } from '../../../src/runtime/cluster/stream.ts';
import { type KnownCopy, remedyOf } from '../../../src/server/cluster/repair-plan.ts';
import { Upload } from '../../../src/server/cluster/upload.ts';
import { MemoryLease } from '../../runtime/support/leases.ts';
import { MemoryStore } from '../../support/memory-log.ts';
import { MemoryStream } from '../../support/memory-stream.ts';
import { SeededRandom } from '../random.ts';
import { onlySeed } from '../seeds.ts';
import { Timeline } from '../timeline.ts';
import { History, writeOfKey } from './history.ts';
import type { LinkFaults } from './links.ts';
import { partitions, SimNode } from './node.ts';

const names = ['one', 'two', 'three'] as const;
const recordBytes = 1_200;
const loadMilliseconds = 60_000;
/** From the end of the faults until everybody is well: a node may start late, wait for a lease, and settle what it does not know. */
const calmMilliseconds = 150_000;
const stepsMax = 400_000;
/** Of the trace, where a seed fails. */
const linesShown = onlySeed === undefined ? 25 : 1_000;

interface Faults extends LinkFaults {
  /** Chance that a disk takes a batch not. */
  readonly diskFull: number;
}
const none: Faults = { lost: 0, unheard: 0, late: 0, diskFull: 0 };

interface Snapshot {
  readonly disks: readonly ReadonlyMap<string, Uint8Array>[];
  readonly places: readonly { readonly sequence: number; readonly digest: Uint8Array }[];
}

class WatchedStream extends MemoryStream {
  private readonly watch: (sequence: number, record: Uint8Array) => void;

  constructor(watch: (sequence: number, record: Uint8Array) => void) {
    super(recordBytes);
    this.watch = watch;
  }

  override store(record: Uint8Array, last: number): Published {
    const published = super.store(record, last);
    if (published.kind === 'stored') this.watch(published.sequence, record);
    return published;
  }
}

export class ClusterWorld {
  readonly time = new Timeline();
  readonly history = new History(partitions);
  readonly lease = new MemoryLease();
  readonly nodes: readonly SimNode[];
  streams: MemoryStream[];
  faults: Faults;
  /** The servers of the logs and of the lease answer nobody. */
  isSilent = false;
  mayStart = true;
  /** Below all that leases give. */
  epoch = 0;
  private readonly seed: number;
  private readonly random: SeededRandom;
  private snapshots: Snapshot[] = [];
  private writes = 0;
  private isCalm = false;
  private loses: { readonly at: number; readonly partition: number } | undefined;
  private failure: Error | undefined;
  private truncatedAt = 0;
  private calmAt = { time: 0, acknowledged: 0 };
  /** Of whom the reads were last checked, and behind how many writes. */
  private checked: { run: unknown; acknowledged: number } = { run: undefined, acknowledged: 0 };
  private readonly trace: string[] = [];

  constructor(seed: number) {
    this.seed = seed;
    this.random = new SeededRandom(seed);
    this.streams = Array.from({ length: partitions }, (_, partition) => this.newStream(partition));
    this.nodes = names.map((name) => new SimNode(this, name, this.random.fork()));
    const { random } = this;
    this.faults = {
      lost: random.pick([0, 0.01, 0.05]),
      unheard: random.pick([0, 0.01, 0.05]),
      late: random.pick([0, 0.3, 0.8]),
      diskFull: random.pick([0, 0, 0.01]),
    };
  }

  /** Throws what was found, with the seed and the last lines of the trace. */
  async run(): Promise<void> {
    try {
      for (const node of this.nodes) this.time.after(this.random.between(0, 2_000), () => node.start());
      this.planWrite();
      this.planFault();
      if (this.random.chance(0.3)) this.time.after(loadMilliseconds * 0.8, () => this.loseEnd());
      await this.until(() => this.time.now > loadMilliseconds && this.loses === undefined, 2 * loadMilliseconds);
      this.calm();
      await this.until(() => this.areWell, calmMilliseconds);
      this.assertWhole();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`seed ${this.seed}: ${reason}\n${this.trace.slice(-linesShown).join('\n')}`, { cause: error });
    }
  }

  note(what: string): void {
    this.trace.push(`${String(Math.round(this.time.now)).padStart(6)} ${what}`);
  }

  /** A node that cannot go on. */
  stopped(node: SimNode, startedAt: number, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.note(`${node.name} does not start: ${reason}`);
    if (reason.endsWith('run murmuration cluster join.')) this.join(node, startedAt);
    else if (reason.includes('cluster repair') && this.loses !== undefined) node.frozen = reason;
    // Where its disk takes nothing it starts again, like any program that ended.
    else if (!reason.includes('the commit failed')) this.fail(error);
  }

  private fail(error: unknown): void {
    this.failure ??= error instanceof Error ? error : new Error(String(error));
  }

  private newStream(partition: number): MemoryStream {
    return new WatchedStream((sequence, record) => this.history.stored(partition, sequence, record));
  }

  /** Steps until the condition holds. */
  private async until(condition: () => boolean, milliseconds: number): Promise<void> {
    const end = this.time.now + milliseconds;
    while (!condition()) {
      // What follows without time passing.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.failure !== undefined) throw this.failure;
      this.check();
      if (this.time.now > end || this.time.steps > stepsMax)
        throw new Error(`it does not come to an end: ${this.state}`);
      this.time.step();
    }
  }

  private get state(): string {
    return this.nodes
      .map(({ name, run, frozen, isAsleep, isCut }) => {
        const role = frozen ?? (run === undefined ? 'dead' : run.serves ? 'serves' : 'stands by');
        return `${name} ${role}${isAsleep ? ', sleeps' : ''}${isCut ? ', is cut off' : ''}`;
      })
      .join('; ');
  }

  /** At every moment: one serves, and whoever answers shows what was acknowledged. */
  private check(): void {
    for (const node of this.nodes) node.tell();
    const serving = this.nodes.filter(({ run }) => run?.serves === true);
    if (serving.length > 1) throw new Error(`${serving.map(({ name }) => name).join(' and ')} serve`);
    const run = serving[0]?.run;
    const { acknowledgedCount: acknowledged } = this.history;
    if (run?.answers !== true || (this.checked.run === run && this.checked.acknowledged === acknowledged)) return;
    this.checked = { run, acknowledged };
    for (const owner of run.owners)
      if (owner.seen < this.history.highest[owner.partition]!)
        throw new Error(`${serving[0]!.name} shows less than was acknowledged`);
  }

  // Load

  private planWrite(): void {
    this.time.after(this.random.between(2, 80), () => {
      // Also of one that has just woken, and does not know yet that it is over.
      const node = this.random.pick(this.nodes);
      const owners = node.isAsleep ? [] : (node.run?.owners ?? []);
      for (const owner of owners) {
        this.writes += 1;
        owner.write(this.writes, Buffer.alloc(this.random.chance(0.05) ? 3_000 : 20, String(this.writes)));
      }
      if (!this.isCalm || !this.areWell) this.planWrite();
    });
  }

  // Faults

  private planFault(): void {
    this.time.after(this.random.between(500, 8_000), () => {
      if (this.isCalm) return;
      this.fault();
      this.planFault();
    });
  }

  private fault(): void {
    const { random, time } = this;
    const serving = this.nodes.find(({ run }) => run?.serves === true);
    const node = serving !== undefined && random.chance(0.6) ? serving : random.pick(this.nodes);
    const kind = random.pick([
      'kill',
      'sleep',
      'sleep',
      'cut',
      'cut',
      'silence',
      'stop',
      'full',
      'snapshot',
      'snapshot',
      'older',
    ]);
    this.note(`${kind} ${node.name}; ${this.state}`);
    if (kind === 'kill') node.die();
    else if (kind === 'sleep') {
      node.fallAsleep();
      time.after(random.between(500, 18_000), () => node.wake());
    } else if (kind === 'cut') {
      node.isCut = true;
      time.after(random.between(500, 18_000), () => (node.isCut = false));
    } else if (kind === 'silence') {
      this.isSilent = true;
      time.after(random.between(500, 14_000), () => (this.isSilent = false));
    } else if (kind === 'stop') node.stop().catch((error: unknown) => this.fail(error));
    else if (kind === 'full') this.fill();
    else if (kind === 'snapshot') this.makeSnapshot(node);
    else this.older(node);
  }

  private fill(): void {
    const stream = this.random.pick(this.streams);
    stream.recordsMax = stream.records.length + 2;
    this.time.after(2_000, () => (stream.recordsMax = Number.POSITIVE_INFINITY));
  }

  /** Of each partition at a moment of its own. Then the streams are truncated behind the second newest. */
  private makeSnapshot(node: SimNode): void {
    if (node.read === undefined) return;
    const places = node.disks.map((_, partition) => node.placeOf(partition));
    if (places.some((place) => place === undefined)) return;
    const disks = node.disks.map((disk) => disk.copy());
    this.snapshots.push({ disks, places: places.map((place) => place!) });
    const second = this.snapshots.at(-2);
    if (second === undefined) return;
    for (const [partition, stream] of this.streams.entries()) {
      const read = this.nodes.flatMap((other) => other.read?.[partition] ?? []);
      void stream.truncate(keptFrom(second.places[partition]!.sequence, read));
    }
    for (const other of this.nodes) other.isPassedOver ||= other.isSilent;
    this.truncatedAt = this.time.now;
  }

  /** Its disks are those of an earlier day. */
  private older(node: SimNode): void {
    const snapshot = this.snapshots.at(-1);
    // While a log has lost its end, a copy may be the only one that has it.
    if (snapshot === undefined || node.run?.serves === true || this.loses !== undefined) return;
    node.die();
    this.restore(node, snapshot.disks);
  }

  private restore(node: SimNode, disks: Snapshot['disks']): void {
    node.disks = disks.map((disk) => {
      const store = new MemoryStore();
      store.restore(disk);
      return store;
    });
  }

  /** As `murmuration cluster join`: the newest snapshot with which the logs go on. */
  private join(node: SimNode, startedAt: number): void {
    if (startedAt < this.truncatedAt && !node.isPassedOver)
      this.fail(new Error(`${node.name} had not read yet what is gone`));
    node.isPassedOver = false;
    const fits = ({ places }: Snapshot) =>
      places.every(({ sequence }, partition) => {
        const { first, last } = this.streams[partition]!;
        return sequence >= first && sequence <= last;
      });
    const snapshot = this.snapshots.findLast(fits);
    if (snapshot === undefined) this.fail(new Error(`${node.name} finds no snapshot with which the logs go on`));
    else this.restore(node, snapshot.disks);
  }

  // Logs that lose their end

  /** One loses what every copy has. */
  private loseEnd(): void {
    const partition = this.random.below(partitions);
    const stream = this.streams[partition]!;
    const applied = this.nodes.map((node) => node.placeOf(partition)?.sequence ?? 0);
    const last = Math.min(...applied) - this.random.between(1, 5);
    if (last <= stream.first) return;
    stream.records = stream.records.filter(({ sequence }) => sequence <= last);
    this.history.lostEnd(partition, last);
    this.loses = { at: this.time.now, partition };
    this.note(`the log of partition ${partition} ends at ${last}; copies are at ${applied.join(', ')}`);
    this.time.after(25_000, () => {
      this.mayStart = false;
      for (const node of this.nodes) node.die();
      // What they had sent is over by then.
      this.time.after(30_000, () => void this.repair().catch((error: unknown) => this.fail(error)));
    });
  }

  /** As `murmuration cluster repair`, on all machines. */
  private async repair(): Promise<void> {
    for (const [partition, stream] of this.streams.entries()) {
      const places = this.nodes.map((node) => node.placeOf(partition)!);
      const log = await examine(stream, new Set(places.map(({ sequence }) => sequence)));
      const copies = this.nodes.map(({ name }, index): KnownCopy => {
        const { epoch, commit } = places[index]!;
        return { name, kind: 'elsewhere', standing: { epoch, commit }, goesOn: goesOnAt(log, places[index]!) };
      });
      const remedy = remedyOf(log, copies);
      this.note(`partition ${partition}: ${remedy.kind === 'copy' ? `from ${remedy.copy.name}` : remedy.kind}`);
      if (remedy.kind === 'lost') throw new Error('nothing is whole');
      if (remedy.kind === 'copy')
        await this.makeAnew(partition, this.nodes.find(({ name }) => name === remedy.copy.name)!);
    }
    this.loses = undefined;
    this.snapshots = [];
    this.mayStart = true;
    for (const node of this.nodes) {
      node.frozen = undefined;
      node.start();
    }
  }

  private async makeAnew(partition: number, node: SimNode): Promise<void> {
    const disk = node.disks[partition]!;
    this.assertHas(partition, node);
    this.history.emptied(partition);
    const stream = this.newStream(partition);
    this.streams[partition] = stream;
    const upload = new Upload(stream, partition, { epoch: node.placeOf(partition)!.epoch, assertMay: () => undefined });
    const copy = {
      reader: disk.snapshot(),
      append: (batch: Parameters<MemoryStore['apply']>[0], completed: (refusal: undefined) => void) => {
        disk.apply(batch);
        completed(undefined);
      },
      close: () => Promise.resolve(),
    };
    await upload.run(copy, new AbortController().signal, () => undefined);
    for (const other of this.nodes) if (other !== node) other.disks[partition]!.restore(disk.copy());
  }

  // The end

  private calm(): void {
    this.isCalm = true;
    this.faults = none;
    this.isSilent = false;
    this.note(`calm; ${this.state}`);
    for (const stream of this.streams) stream.recordsMax = Number.POSITIVE_INFINITY;
    for (const node of this.nodes) {
      node.isCut = false;
      node.wake();
    }
    this.calmAt = { time: this.time.now, acknowledged: this.history.acknowledgedCount };
  }

  /** One serves and has acknowledged something since, the others have everything. */
  private get areWell(): boolean {
    const { time, acknowledged } = this.calmAt;
    if (this.time.now < time + 30_000 || this.history.acknowledgedCount < acknowledged + 10) return false;
    const serving = this.nodes.find(({ run }) => run?.answers === true);
    if (serving === undefined || serving.run!.owners.some((owner) => owner.isBusy)) return false;
    return this.streams.every(({ last }, partition) =>
      this.nodes.every((node) => node.isRunning && node.placeOf(partition)?.sequence === last),
    );
  }

  private assertWhole(): void {
    for (const node of this.nodes) for (const partition of this.streams.keys()) this.assertHas(partition, node);
  }

  private assertHas(partition: number, { name, disks }: SimNode): void {
    const end = Uint8Array.of(0xff);
    const writes = new Set(
      [...disks[partition]!.range({ start: Uint8Array.of(0), end })].map(({ key }) => writeOfKey(key)),
    );
    this.history.assertWhole(partition, name, (write) => writes.has(write));
  }
}
