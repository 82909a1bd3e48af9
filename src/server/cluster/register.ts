/** What the NATS servers know of the data folder whose logs they keep: one entry of a bucket. */
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import type { LeaseStore } from '../../runtime/cluster/lease.ts';
import type { NatsClient } from '../../runtime/cluster/nats-access.ts';
import { NatsLease } from '../../runtime/cluster/nats-lease.ts';
import { isConflict } from '../../runtime/cluster/nats-stream.ts';

const bucket = 'murmuration';
const key = 'folder';

/** Loose: fields of a newer version are no reason to refuse. */
const Registration = z.looseObject({
  /** The id of the data folder. */
  id: z.string(),
  partitions: z.number().int().min(1),
  generation: z.number().int().min(0),
  /** That of the folder before its logs began: later ones are above it. */
  epoch: z.number().int().min(0).default(0),
  /** A repair has begun, and is not finished: no node starts. */
  repairing: z.boolean().default(false),
});
export interface Registration {
  readonly id: string;
  readonly partitions: number;
  readonly generation: number;
  readonly epoch: number;
  readonly repairing?: boolean | undefined;
}

const copies = 'copy';
const media = 'media';

/** Loose, as Registration. */
const NotedCopy = z.looseObject({
  /** Where it is reached, or the name of its machine. */
  name: z.string(),
  /** Where each partition stands. */
  places: z.array(
    z.object({
      sequence: z.number().int(),
      /** In hex. */
      digest: z.string(),
      commit: z.number().int(),
      epoch: z.number().int(),
    }),
  ),
});
/** What a node that is stopped has, as its machine has noted it for a repair. */
export interface NotedCopy {
  readonly id: string;
  readonly name: string;
  readonly places: readonly PlaceOfCopy[];
}
export interface PlaceOfCopy {
  readonly sequence: number;
  readonly digest: string;
  readonly commit: number;
  readonly epoch: number;
}

export class Register {
  private readonly entries: KV;
  private readonly connection: NatsConnection;

  private constructor(entries: KV, { connection }: NatsClient) {
    this.entries = entries;
    this.connection = connection;
  }

  static async make(client: NatsClient, replicas: number): Promise<Register> {
    const { Kvm } = await import('@nats-io/kv');
    return new Register(await new Kvm(client.jetstream).create(bucket, { replicas, history: 1 }), client);
  }

  /** Undefined where it was never made. */
  static async find(client: NatsClient): Promise<Register | undefined> {
    const { Kvm } = await import('@nats-io/kv');
    const entries = await new Kvm(client.jetstream).open(bucket);
    try {
      await entries.status();
    } catch (error) {
      if (error instanceof Error && error.name === 'StreamNotFoundError') return undefined;
      throw error;
    }
    return new Register(entries, client);
  }

  get lease(): LeaseStore {
    return new NatsLease(this.entries, this.connection);
  }

  /** Throws an Error with a sentence where another version wrote it. */
  async read(): Promise<Registration | undefined> {
    const entry = await this.entries.get(key);
    if (entry === null || entry.operation !== 'PUT') return undefined;
    const { data } = Registration.safeParse(entry.json());
    if (data === undefined)
      throw new Error('The NATS servers keep logs of a version that this one does not understand.');
    return data;
  }

  async write({ id, partitions, generation, epoch, repairing }: Registration): Promise<void> {
    await this.entries.put(key, JSON.stringify({ id, partitions, generation, epoch, repairing }));
  }

  /** Of the folder in which the nodes keep media; undefined where none has been marked. */
  async mediaMark(): Promise<string | undefined> {
    const entry = await this.entries.get(media);
    return entry?.operation === 'PUT' ? entry.string() : undefined;
  }

  /** Returns what is known from now on, which another node may have said before. */
  async markMedia(mark: string): Promise<string | undefined> {
    try {
      await this.entries.create(media, mark);
      return mark;
    } catch (error) {
      if (!isConflict(error)) throw error;
      return await this.mediaMark();
    }
  }

  /** `id`: of this folder on this machine. */
  async noteCopy({ id, name, places }: NotedCopy): Promise<void> {
    await this.entries.put(`${copies}.${id}`, JSON.stringify({ name, places }));
  }

  async notedCopies(): Promise<NotedCopy[]> {
    const found: NotedCopy[] = [];
    for await (const name of await this.entries.keys(`${copies}.*`)) {
      const entry = await this.entries.get(name);
      const { data } = NotedCopy.safeParse(entry?.operation === 'PUT' ? entry.json() : undefined);
      if (data !== undefined) found.push({ ...data, id: name.slice(copies.length + 1) });
    }
    return found;
  }

  /** Logs that are made anew have no copies elsewhere. */
  async forgetCopies(): Promise<void> {
    for await (const name of await this.entries.keys(`${copies}.*`)) await this.entries.delete(name);
  }

  async forgetCopy({ id }: NotedCopy): Promise<void> {
    await this.entries.delete(`${copies}.${id}`);
  }

  async clear(): Promise<void> {
    await this.entries.delete(key);
    await this.entries.delete(media);
    await this.forgetCopies();
  }
}
