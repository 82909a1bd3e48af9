/** The state of a partition becomes the beginning of its stream. */

import { randomUUID } from 'node:crypto';
import { type Sealed, Sealer } from '../../runtime/cluster/sealer.ts';
import type { LogStream } from '../../runtime/cluster/stream.ts';
import { noDigest } from '../../runtime/cluster/stream-record.ts';
import type { ViewStore } from '../../runtime/cluster/view.ts';
import { afterLastKey } from '../../runtime/storage/keyspace.ts';
import { meta, streamPlace } from '../../runtime/storage/machine.ts';
import { append } from '../folder/partition-files.ts';
import { readerOf } from '../folder/verify.ts';

const recordsUnderWay = 8;
const batchBytes = 512 * 1024;

interface Place {
  readonly sequence: number;
  readonly digest: Uint8Array;
}

/** Into a stream that is empty. */
export class Upload {
  private readonly stream: LogStream;
  private readonly partition: number;
  private readonly epoch: number;
  private readonly assertMay: () => void;
  private readonly sealer: Promise<Sealer>;
  private readonly underWay: Promise<void>[] = [];
  private place: Place = { sequence: 0, digest: noDigest };

  /** `assertMay` is called before each part is sent, and throws where nothing more may be written. */
  constructor(stream: LogStream, partition: number, { epoch, assertMay }: { epoch: number; assertMay(): void }) {
    this.stream = stream;
    this.partition = partition;
    this.epoch = epoch;
    this.assertMay = assertMay;
    this.sealer = this.stream.recordBytesMax().then((most) => new Sealer(randomUUID(), most));
  }

  /** Returns the number of bytes. Nothing is on its way any more when this settles. */
  async run(log: ViewStore, signal: AbortSignal, show: (bytes: number) => void): Promise<number> {
    try {
      return await this.sendAll(log, signal, show);
    } finally {
      await Promise.allSettled(this.underWay);
    }
  }

  private async sendAll(log: ViewStore, signal: AbortSignal, show: (bytes: number) => void): Promise<number> {
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
    this.assertMay();
    const { sequence } = this.place;
    this.place = { sequence: sequence + 1, digest };
    const stored = this.stored(bytes, sequence);
    // Whoever waits for it meets the failure; others of the same cause may come first.
    stored.catch(() => undefined);
    this.underWay.push(stored);
    if (this.underWay.length > recordsUnderWay) await this.underWay.shift();
  }

  private async stored(bytes: Uint8Array, last: number): Promise<void> {
    const published = await this.stream.publish(bytes, last);
    if (published.kind === 'stored' && published.sequence === last + 1) return;
    const cause = 'cause' in published ? published.cause : undefined;
    throw new Error(`The log of partition ${this.partition} could not be written (${published.kind}).`, { cause });
  }
}
