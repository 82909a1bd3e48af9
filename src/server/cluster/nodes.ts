/** The nodes of a cluster, as they tell themselves: entries of a bucket that are gone soon after their node. */
import type { KV } from '@nats-io/kv';
import { z } from 'zod';
import type { NatsClient } from '../../runtime/cluster/nats-access.ts';
import { isConflict } from '../../runtime/cluster/nats-stream.ts';

const bucket = 'murmuration-nodes';
const announceMilliseconds = 3_000;
const goneMilliseconds = 4 * announceMilliseconds;

const snapshotKey = 'snapshot';

/** Loose: a newer version may say more. */
const NodeEntry = z.looseObject({
  /** Where it is reached, or the name of its machine. */
  name: z.string(),
  serves: z.boolean(),
  version: z.string(),
  /** Behind the logs. */
  records: z.number(),
  seconds: z.number(),
  sequences: z.array(z.number()),
});

export interface ClusterNode {
  /** Random, of a run of the node. */
  readonly session: string;
  readonly name: string;
  readonly serves: boolean;
  readonly version: string;
  readonly records: number;
  readonly seconds: number;
  /** How far it has read the log of each partition; empty while it serves, and before it knows. */
  readonly sequences: readonly number[];
}

export interface Announcing {
  /** Of something new, at once. */
  tell(): Promise<void>;
  /** Takes the node off the list. */
  leave(): Promise<void>;
}

export class Nodes {
  private readonly entries: KV;

  private constructor(entries: KV) {
    this.entries = entries;
  }

  static async open({ jetstream }: NatsClient, replicas: number): Promise<Nodes> {
    const { Kvm } = await import('@nats-io/kv');
    return new Nodes(await new Kvm(jetstream).create(bucket, { replicas, history: 1, ttl: goneMilliseconds }));
  }

  /** Tells again and again, until it leaves. */
  announce(session: string, describe: () => Omit<ClusterNode, 'session'>): Announcing {
    const tell = () => this.quietly(() => this.entries.put(session, JSON.stringify(describe())));
    void tell();
    const timer = setInterval(() => void tell(), announceMilliseconds).unref();
    return {
      tell,
      leave: async () => {
        clearInterval(timer);
        await this.quietly(() => this.entries.purge(session));
      },
    };
  }

  /**
   * One of them at a time makes a snapshot. Undefined where another one does; otherwise the function ends the claim, which
   * also ends soon after its process.
   */
  async claimSnapshot(): Promise<(() => Promise<void>) | undefined> {
    try {
      await this.entries.create(snapshotKey, '');
    } catch (error) {
      if (isConflict(error)) return undefined;
      throw error;
    }
    const timer = setInterval(() => void this.quietly(() => this.entries.put(snapshotKey, '')), announceMilliseconds);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await this.quietly(() => this.entries.purge(snapshotKey));
    };
  }

  async list(): Promise<ClusterNode[]> {
    const found: ClusterNode[] = [];
    for await (const session of await this.entries.keys()) {
      if (session === snapshotKey) continue;
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
