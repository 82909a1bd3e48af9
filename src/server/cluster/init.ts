/**
 * `murmuration cluster init`: makes a log of each partition of a stopped server, which begins with the state that the
 * partition has.
 *
 * INVARIANT the register names the folder after everything else: until then no server starts with these logs, and the next
 * call makes them anew.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Options } from '../../options/table.ts';
import { type Lease, takeLease } from '../../runtime/cluster/lease.ts';
import type { NatsClient } from '../../runtime/cluster/nats-access.ts';
import { assertServersKeep, createStream, streamOfPartition } from '../../runtime/cluster/nats-servers.ts';
import { NatsStream } from '../../runtime/cluster/nats-stream.ts';
import { type Sealed, Sealer } from '../../runtime/cluster/sealer.ts';
import { noDigest } from '../../runtime/cluster/stream-record.ts';
import type { PartitionLog } from '../../runtime/storage/log.ts';
import { meta, streamPlace } from '../../runtime/storage/machine.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import { type FolderManifest, isFormer, notMigrated, partitionsOf, readManifest } from '../folder/manifest.ts';
import { append, assertWhole, openPartition } from '../folder/partition-files.ts';
import { withPartitions } from '../folder/prepare.ts';
import { areCurrent, assertMade, readerOf, verifyChannels, verifyIdentities } from '../folder/verify.ts';
import { withServers } from './attend.ts';
import { addressOf } from './cluster-logs.ts';
import { refuseServing } from './member.ts';
import { Register } from './register.ts';

const recordsUnderWay = 8;
/** Of one record, whose server may be busy. */
const answerMilliseconds = 10_000;
const batchBytes = 512 * 1024;
const afterLastKey = Uint8Array.of(0xff, 0xff, 0xff);

export interface InitOptions {
  readonly options: Options;
  /** Logs that are there are removed first. */
  readonly replace: boolean;
  readonly signal: AbortSignal;
  show(line: string): void;
}

/** The caller holds the folder's lock. Returns lines for the operator; rejects with an Error whose message is a sentence. */
export async function initCluster(
  opened: DataFolder,
  { options, replace, signal, show }: InitOptions,
): Promise<string[]> {
  const address = addressOf(options);
  if (address === undefined)
    throw new Error('Say where the NATS servers are: MURMURATION_CLUSTER=nats://user:password@one.example.org,…');
  const manifest = readManifest(opened);
  assertMade(opened, manifest);
  if (isFormer(manifest)) throw notMigrated(opened);
  const folder = partitionsOf(opened, manifest);
  for (let number = 0; number < manifest.partitions; number += 1) assertWhole(folder, number, 'every');
  return await withServers(address, async (client) => {
    await assertServersKeep(client, options.clusterReplicas);
    const register = await Register.make(client, options.clusterReplicas);
    const registered = await register.read();
    if (registered !== undefined && !replace) {
      const whose = registered.id === manifest.id ? 'this server' : 'another server';
      throw new Error(`The NATS servers have logs of ${whose} already. With --replace they are removed first.`);
    }
    const lease = await takeAlone(register, manifest, options.origin);
    try {
      await register.clear();
      const bytes = await withPartitions(folder, manifest.partitions, openPartition, async (logs) => {
        verifyIdentities(folder, manifest, logs);
        if (!areCurrent(logs)) throw notMigrated(opened);
        verifyChannels(folder, logs);
        let sum = 0;
        for (const [partition, log] of logs.entries()) {
          await createStream(client, partition, options.clusterReplicas);
          const upload = new Upload(client, partition, manifest);
          sum += await upload.run(log, signal, (part) =>
            show(`Partition ${partition + 1} of ${manifest.partitions}: ${megabytes(part)} MB`),
          );
        }
        return sum;
      });
      await register.write({ ...manifest, generation: manifest.generation ?? 0 });
      return [
        `The NATS servers keep the logs of ${manifest.partitions} partitions from now on: ${megabytes(bytes)} MB.`,
      ];
    } finally {
      await lease.giveBack();
    }
  });
}

/** Nobody serves while the logs are made. Rejects with an Error whose message is a sentence where somebody does. */
async function takeAlone(register: Register, { session }: FolderManifest, address: string): Promise<Lease> {
  const lease = await takeLease({
    ...{ store: register.lease, former: session, clock: systemClock },
    holder: { session: randomUUID(), address },
    pause: (milliseconds) => setTimeout(milliseconds),
    waiting: refuseServing((serving) => `A node of the cluster serves ${serving}: stop it first.`),
  });
  void lease.keep();
  return lease;
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

interface Place {
  readonly sequence: number;
  readonly digest: Uint8Array;
}

/** The state of one partition becomes the beginning of its stream. */
class Upload {
  private readonly stream: NatsStream;
  private readonly partition: number;
  private readonly epoch: number;
  private readonly sealer: Promise<Sealer>;
  private readonly underWay: Promise<void>[] = [];
  private place: Place = { sequence: 0, digest: noDigest };

  constructor(client: NatsClient, partition: number, { epoch }: FolderManifest) {
    const access = { answerMilliseconds, client: () => Promise.resolve(client), close: () => Promise.resolve() };
    this.stream = new NatsStream({ access, ...streamOfPartition(partition) });
    this.partition = partition;
    this.epoch = epoch;
    this.sealer = this.stream.recordBytesMax().then((most) => new Sealer(randomUUID(), most));
  }

  /** Returns the number of bytes. */
  async run(log: PartitionLog, signal: AbortSignal, show: (bytes: number) => void): Promise<number> {
    const metaKey = Buffer.from(meta.encode([0]));
    const placeKey = Buffer.from(streamPlace.encode([0]));
    const counters = readerOf(log).get(meta, [0]);
    if (counters === undefined) throw new Error(`Partition ${this.partition} has no counters.`);
    const sealer = await this.sealer;
    sealer.goOn(noDigest, counters.commit);
    let keys: Uint8Array[] = [];
    let values: Uint8Array[] = [];
    let [bytes, sum] = [0, 0];
    const flush = async () => {
      for (const sealed of sealer.sealBatch({ keys, values }, this.epoch, 'state')) await this.send(sealed);
      sum += bytes;
      [keys, values, bytes] = [[], [], 0];
      signal.throwIfAborted();
      show(sum);
    };
    log.reader.refresh();
    for (const { key, value } of log.reader.range({ start: Uint8Array.of(0), end: afterLastKey })) {
      // The counters come last: a copy that has them is complete.
      if (Buffer.compare(key, metaKey) === 0 || Buffer.compare(key, placeKey) === 0) continue;
      keys.push(Uint8Array.from(key));
      values.push(Uint8Array.from(value));
      bytes += key.byteLength + value.byteLength;
      if (bytes >= batchBytes) await flush();
    }
    keys.push(metaKey);
    values.push(meta.value.encode(counters));
    await flush();
    await Promise.all(this.underWay);
    const { commit, epoch } = counters;
    const place = streamPlace.value.encode({ ...this.place, commit, epoch });
    await append(log, { keys: [placeKey], values: [place] });
    return sum;
  }

  private async send({ bytes, digest }: Sealed): Promise<void> {
    const { sequence } = this.place;
    this.place = { sequence: sequence + 1, digest };
    this.underWay.push(this.stored(bytes, sequence));
    if (this.underWay.length > recordsUnderWay) await this.underWay.shift();
  }

  private async stored(bytes: Uint8Array, last: number): Promise<void> {
    const published = await this.stream.publish(bytes, last);
    if (published.kind === 'stored' && published.sequence === last + 1) return;
    const cause = 'cause' in published ? published.cause : undefined;
    throw new Error(`The log of partition ${this.partition} could not be written (${published.kind}).`, { cause });
  }
}
