/** The lease as an entry of a bucket in NATS. */
import type { JetStreamApiError } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { type Holder, type LeaseEntry, type LeaseStore, LeaseUnanswered, leaseTimes } from './lease.ts';
import { wrongLastSequence } from './nats-stream.ts';

const key = 'lease';
/** A plain message: whoever it does not reach looks at the entry soon. */
const givenBackSubject = 'murmuration.lease.given-back';

/** Loose: a newer version may say more. */
const Stored = z.looseObject({ session: z.string(), address: z.string(), node: z.string().optional() });

export class NatsLease implements LeaseStore {
  private readonly entries: KV;
  private readonly connection: NatsConnection;
  private readonly answerMilliseconds: number;

  constructor(entries: KV, connection: NatsConnection, answerMilliseconds: number = leaseTimes.answerMilliseconds) {
    this.entries = entries;
    this.connection = connection;
    this.answerMilliseconds = answerMilliseconds;
  }

  async read(): Promise<LeaseEntry | undefined> {
    const entry = await this.asked(() => this.entries.get(key));
    if (entry === null) return undefined;
    const { data } = Stored.safeParse(entry.length === 0 ? undefined : entry.json());
    return { revision: entry.revision, holder: data };
  }

  async write(holder: Holder | undefined, revision: number): Promise<number | undefined> {
    const content = holder === undefined ? '' : JSON.stringify(holder);
    return await this.asked(async () => {
      try {
        const options = { previousSeq: revision, timeout: this.answerMilliseconds };
        return await this.entries.put(key, content, options);
      } catch (error) {
        if (error instanceof Error && wrongLastSequence.includes((error as JetStreamApiError).code)) return undefined;
        throw error;
      }
    });
  }

  tellGivenBack(revision: number): void {
    this.connection.publish(givenBackSubject, String(revision));
  }

  whenGivenBack(told: (revision: number) => void): () => void {
    const callback = (_error: unknown, { data }: { readonly data: Uint8Array }) => {
      const revision = Number(Buffer.from(data).toString());
      if (Number.isSafeInteger(revision)) told(revision);
    };
    const subscription = this.connection.subscribe(givenBackSubject, { callback });
    return () => subscription.unsubscribe();
  }

  private async asked<Value>(ask: () => Promise<Value>): Promise<Value> {
    try {
      return await ask();
    } catch (error) {
      throw new LeaseUnanswered(error);
    }
  }
}
