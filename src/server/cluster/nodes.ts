/** The nodes of a cluster, as they tell themselves: entries of a bucket that are gone soon after their node. */
import type { KV } from '@nats-io/kv';
import { z } from 'zod';
import type { NatsClient } from '../../runtime/cluster/nats-access.ts';

const bucket = 'murmuration-nodes';
const announceMilliseconds = 3_000;
const goneMilliseconds = 4 * announceMilliseconds;

/** Loose: a newer version may say more. */
const NodeEntry = z.looseObject({
  /** Where it is reached, or the name of its machine. */
  name: z.string(),
  serves: z.boolean(),
  version: z.string(),
  /** Behind the logs. */
  records: z.number(),
  seconds: z.number(),
});

export interface ClusterNode {
  /** Random, of a run of the node. */
  readonly session: string;
  readonly name: string;
  readonly serves: boolean;
  readonly version: string;
  readonly records: number;
  readonly seconds: number;
}

export class Nodes {
  private readonly entries: KV;

  private constructor(entries: KV) {
    this.entries = entries;
  }

  static async open({ connection }: NatsClient, replicas: number): Promise<Nodes> {
    const { Kvm } = await import('@nats-io/kv');
    return new Nodes(await new Kvm(connection).create(bucket, { replicas, history: 1, ttl: goneMilliseconds }));
  }

  /** Tells again and again, until the returned function is called, which also takes the node off the list. */
  announce(session: string, tell: () => Omit<ClusterNode, 'session'>): () => Promise<void> {
    const put = () => this.quietly(() => this.entries.put(session, JSON.stringify(tell())));
    void put();
    const timer = setInterval(() => void put(), announceMilliseconds).unref();
    return async () => {
      clearInterval(timer);
      await this.quietly(() => this.entries.purge(session));
    };
  }

  async list(): Promise<ClusterNode[]> {
    const found: ClusterNode[] = [];
    for await (const session of await this.entries.keys()) {
      const entry = await this.entries.get(session);
      const { data } = NodeEntry.safeParse(entry?.operation === 'PUT' ? entry.json() : undefined);
      if (data !== undefined) found.push({ ...data, session });
    }
    return found.sort((one, other) => Number(other.serves) - Number(one.serves) || one.name.localeCompare(other.name));
  }

  /** A list that is not kept for a while costs nothing but what it tells. */
  private async quietly(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }
}
