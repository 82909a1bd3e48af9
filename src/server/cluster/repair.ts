/**
 * `murmuration cluster repair`: the logs have lost what a copy of them has, or contradict themselves. Each machine notes what its
 * copy has; the copy with the most becomes the beginning of a new log.
 *
 * INVARIANTS
 * 1. Nothing is changed without being told to, and nothing while a node serves.
 * 2. Nothing is changed before all copies are known, of which the operator says how many there are, nor once the lease is lost.
 * 3. From the first log that is made anew to the last one no node starts: what another copy still has would be lost.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Options } from '../../options/table.ts';
import type { ChainPlace } from '../../runtime/cluster/chain.ts';
import { chainOf } from '../../runtime/cluster/chain-of-view.ts';
import { type Examination, examine, goesOnAt } from '../../runtime/cluster/examination.ts';
import type { NatsClient } from '../../runtime/cluster/nats-access.ts';
import { assertServersKeep, createStream, hasStream } from '../../runtime/cluster/nats-servers.ts';
import { StreamView } from '../../runtime/cluster/view.ts';
import type { PartitionLog } from '../../runtime/storage/log.ts';
import { megabytes } from '../backup/backup.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import { type FolderManifest, isFormer, notMigrated, partitionsOf, readManifest } from '../folder/manifest.ts';
import { assertWhole, openPartition } from '../folder/partition-files.ts';
import { withPartitions } from '../folder/prepare.ts';
import { areCurrent, assertMade, verifyIdentities } from '../folder/verify.ts';
import { type Alone, takeAlone } from './alone.ts';
import { withServers } from './attend.ts';
import { addressOf, onItsOwn } from './cluster-logs.ts';
import { partitionStream } from './partition-stream.ts';
import { type NotedCopy, type PlaceOfCopy, Register, type Registration } from './register.ts';
import {
  isOfHere,
  type KnownCopy,
  type Remedy,
  remedyOf,
  sentenceOfRemedy,
  sentencesOfLoss,
  withCompanions,
} from './repair-plan.ts';
import { snapshotsOf } from './snapshots.ts';
import { Upload } from './upload.ts';

export interface RepairOptions {
  readonly options: Options;
  /** How many machines have a copy, as the operator knows. Without it nothing is changed. */
  readonly copies?: number | undefined;
  readonly signal: AbortSignal;
  show(line: string): void;
}

/** The caller holds the folder's lock. Returns lines for the operator; rejects with an Error whose message is a sentence. */
export async function repairCluster(opened: DataFolder, repair: RepairOptions): Promise<string[]> {
  const { options } = repair;
  const address = addressOf(options);
  if (address === undefined) throw new Error(onItsOwn);
  const manifest = readManifest(opened);
  assertMade(opened, manifest);
  if (isFormer(manifest)) throw notMigrated(opened);
  const folder = partitionsOf(opened, manifest);
  for (let number = 0; number < manifest.partitions; number += 1) assertWhole(folder, number, 'every');
  return await withServers(address, async (client) => {
    await assertServersKeep(client, options.clusterReplicas);
    const register = await Register.make(client, options.clusterReplicas);
    const registered = await register.read();
    if (registered !== undefined && !isOf(registered, manifest))
      throw new Error('The NATS servers keep the logs of another data folder, or of other partitions.');
    const lease = await takeAlone(register, manifest, options.origin);
    try {
      return await withPartitions(folder, manifest.partitions, openPartition, async (logs) => {
        verifyIdentities(folder, manifest, logs, Number.POSITIVE_INFINITY);
        if (!areCurrent(logs)) throw notMigrated(opened);
        return await new Repair(repair, { client, register, registered, lease, manifest, logs, folder }).run();
      });
    } finally {
      await lease.giveBack();
    }
  });
}

function isOf({ id, partitions, generation }: Registration, manifest: FolderManifest): boolean {
  return id === manifest.id && partitions === manifest.partitions && generation === (manifest.generation ?? 0);
}

interface Found {
  readonly client: NatsClient;
  readonly register: Register;
  readonly registered: Registration | undefined;
  readonly lease: Alone;
  readonly manifest: FolderManifest;
  readonly logs: readonly PartitionLog[];
  readonly folder: DataFolder;
}

type Copy = NotedCopy & { readonly kind: KnownCopy['kind'] };

interface Judged {
  readonly partition: number;
  readonly log: Examination;
  readonly copies: readonly KnownCopy[];
  readonly remedy: Remedy;
}

class Repair {
  private readonly repair: RepairOptions;
  private readonly found: Found;
  private here: NotedCopy;
  private judged: readonly Judged[] = [];

  constructor(repair: RepairOptions, found: Found) {
    this.repair = repair;
    this.found = found;
    const { folder, logs } = found;
    const id = createHash('sha256')
      .update(`${hostname()} ${realpathSync(folder.path)}`)
      .digest('hex');
    this.here = { id, name: repair.options.clusterNode ?? hostname(), places: logs.map(placeOf) };
  }

  async run(): Promise<string[]> {
    await this.note();
    const copies = await this.copies();
    this.judged = withCompanions(await this.judge(copies));
    const losses = this.judged.flatMap(({ partition, log, ...judged }) => sentencesOfLoss(partition, log, judged));
    const said = [
      ...this.judged.map(({ partition, log, remedy }) => sentenceOfRemedy(partition, log, remedy)),
      ...losses,
    ];
    const names = copies.filter(({ kind }) => kind !== 'snapshot').map(({ name }) => name);
    const known = `Known copies: ${names.join(', ')}.`;
    const isWhole = this.judged.every(({ remedy }) => remedy.kind === 'none') && !this.mustBeWritten;
    if (isWhole) {
      // Of nodes that may go on, and soon have more.
      await this.found.register.forgetCopies();
      return [...said, known, runEverywhere, ...this.strangers(), 'There is nothing to repair.'];
    }
    const asked = this.repair.copies;
    if (asked === undefined) return [...said, known, runEverywhere, advice];
    if (asked !== names.length) throw new Error(sentenceOfCopies(asked, names));
    for (const line of losses) this.repair.show(line);
    return [...said, known, ...(await this.carryOut())];
  }

  private async note(): Promise<void> {
    this.here = { ...this.here, places: this.found.logs.map(placeOf) };
    await this.found.register.noteCopy(this.here);
  }

  /** That of this node first. */
  private async copies(): Promise<Copy[]> {
    const { register, manifest } = this.found;
    const noted = (await register.notedCopies()).filter(({ id }) => id !== this.here.id);
    const snapshots = await snapshotsOf(this.repair.options, manifest.id);
    return [
      { ...this.here, kind: 'here' },
      ...noted.map((copy): Copy => ({ ...copy, kind: 'elsewhere' })),
      ...snapshots.map(({ name, places }): Copy => ({ id: name, name, places, kind: 'snapshot' })),
    ];
  }

  private async judge(all: readonly Copy[]): Promise<Judged[]> {
    const { client, logs } = this.found;
    const { show, signal } = this.repair;
    const judged: Judged[] = [];
    for (const partition of logs.keys()) {
      show(`Partition ${partition + 1} of ${logs.length}: its log is read`);
      const placed = all.flatMap(({ name, kind, places }) => {
        const place = places[partition];
        return place === undefined ? [] : [{ name, kind, place }];
      });
      const asked = new Set(placed.map(({ place }) => place.sequence));
      const isThere = await hasStream(client, partition);
      const log = isThere ? await examine(partitionStream(client, partition), asked) : noLog;
      const copies = placed.map(({ name, kind, place }): KnownCopy => {
        const { epoch, commit } = place;
        return { name, kind, standing: { epoch, commit }, goesOn: goesOnAt(log, chainPlaceOf(place)) };
      });
      judged.push({ partition, log, copies, remedy: remedyOf(log, copies) });
      signal.throwIfAborted();
    }
    return judged;
  }

  /** Makes the logs anew of which this copy has the most. */
  private async carryOut(): Promise<string[]> {
    const { register, registered, manifest, lease } = this.found;
    const mine = this.judged.filter(({ remedy }) => isOfHere(remedy));
    const isLeft = this.judged.some(({ remedy }) => remedy.kind !== 'none' && !isOfHere(remedy));
    const entry = { ...manifest, generation: manifest.generation ?? 0, epoch: registered?.epoch ?? manifest.epoch };
    lease.assertHeld();
    if (mine.length > 0) await register.write({ ...entry, repairing: true });
    let bytes = 0;
    for (const { partition, log } of mine) bytes += await this.makeAnew(partition, log);
    lease.assertHeld();
    await this.note();
    const done = `${mine.length} of ${this.judged.length} logs were made anew from this copy: ${megabytes(bytes)} MB.`;
    if (isLeft) return [done, 'The others are left, and no node starts before they are whole.'];
    lease.assertHeld();
    await register.write({ ...entry, epoch: this.mustRaiseEpoch ? this.newestEpoch : entry.epoch, repairing: false });
    await register.forgetCopies();
    return [done, ...this.strangers(), 'The logs are whole.'];
  }

  private async makeAnew(partition: number, log: Examination): Promise<number> {
    const { client, logs, lease } = this.found;
    const assertMay = () => lease.assertHeld();
    const { options, signal, show } = this.repair;
    const copy = logs[partition]!;
    if (goesOnAt(log, chainPlaceOf(this.here.places[partition]!))) await bringUp(client, partition, copy, log.last);
    assertMay();
    await createStream(client, partition, options.clusterReplicas);
    const { epoch } = new StreamView(copy).tail();
    return await new Upload(partitionStream(client, partition), partition, { epoch, assertMay }).run(
      copy,
      signal,
      (bytes) => show(`Partition ${partition + 1} of ${logs.length}: ${megabytes(bytes)} MB`),
    );
  }

  /** About copies that cannot go on with their logs. */
  private strangers(): string[] {
    const names = this.judged.flatMap(({ copies, remedy }) =>
      copies.flatMap(({ name, kind, goesOn }) => {
        const doesGoOn = isOfHere(remedy) ? kind === 'here' : goesOn;
        return doesGoOn || kind === 'snapshot' ? [] : [name];
      }),
    );
    return [...new Set(names)].map(
      (name) =>
        `The copy of ${name} cannot go on with the logs: move its data folder away, and run murmuration cluster join there.`,
    );
  }

  /** Of all that is known: the next one must be above it. */
  private get newestEpoch(): number {
    const standings = this.judged.flatMap(({ log, copies }) => [
      log.standing,
      ...copies.map(({ standing }) => standing),
    ]);
    return Math.max(...standings.map((standing) => standing?.epoch ?? 0));
  }

  /** Where the entry about who serves has lost its end too. */
  private get mustRaiseEpoch(): boolean {
    const { registered, manifest, lease } = this.found;
    return this.newestEpoch > (registered?.epoch ?? manifest.epoch) + lease.revision;
  }

  private get mustBeWritten(): boolean {
    const { registered } = this.found;
    return registered === undefined || registered.repairing === true || this.mustRaiseEpoch;
  }
}

const noLog: Examination = {
  ...{ first: 1, last: 0, standing: undefined, ends: new Map(), broken: undefined, digests: new Map() },
};

const runEverywhere = 'Run this on every machine that has a copy before anything is done.';
const advice =
  'Nothing was changed. What is to be done here does murmuration cluster repair --apply --copies NUMBER, with the number of machines that have a copy.';

function sentenceOfCopies(asked: number, names: readonly string[]): string {
  const todo =
    names.length < asked
      ? 'Run murmuration cluster repair without --apply on the others first.'
      : 'Of one whose machine is gone for good: murmuration cluster repair --forget NAME.';
  return `Nothing was changed: --copies says ${asked}, and ${names.length} ${names.length === 1 ? 'is' : 'are'} known: ${names.join(', ')}. ${todo}`;
}

/** Throws an Error with a sentence where it is no copy of its log. */
function placeOf(log: PartitionLog, partition: number): PlaceOfCopy {
  const view = new StreamView(log);
  const place = view.place();
  if (place === undefined || !view.isOf(place))
    throw new Error(
      `Partition ${partition} was written without its log: it is no copy of it. To go on with it all the same: murmuration cluster init --replace`,
    );
  const { epoch, position: commit } = view.tail();
  return { sequence: place.sequence, digest: Buffer.from(place.digest).toString('hex'), commit, epoch };
}

function chainPlaceOf({ sequence, digest }: PlaceOfCopy): ChainPlace {
  return { sequence, digest: Buffer.from(digest, 'hex') };
}

/** To where the log is a chain. */
async function bringUp(client: NatsClient, partition: number, copy: PartitionLog, last: number): Promise<void> {
  const stream = partitionStream(client, partition);
  const view = new StreamView(copy);
  const chain = await chainOf(view, stream);
  for await (const stored of stream.replay(chain.sequence + 1, last)) {
    const counted = chain.take(stored);
    if (counted?.batch === undefined) continue;
    const { batch, sequence, digest } = counted;
    await new Promise<void>((resolve, reject) =>
      view.apply([{ batch, place: { sequence, digest } }], (refusal) => (refusal ? reject(refusal) : resolve())),
    );
  }
}
