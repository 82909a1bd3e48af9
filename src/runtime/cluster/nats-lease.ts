/** The lease as an entry of a bucket in NATS. */
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { type Holder, type LeaseEntry, type LeaseNews, type LeaseStore, LeaseUnanswered, leaseTimes } from './lease.ts';
import { answeredOrLeft } from './nats-access.ts';
import { isConflict } from './nats-stream.ts';

const key = 'lease';
/** Plain messages: whoever they do not reach looks at the entry soon. */
const subjects = { renewed: 'murmuration.lease.renewed', givenBack: 'murmuration.lease.given-back' } as const;

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
        if (isConflict(error)) return undefined;
        throw error;
      }
    });
  }

  tell({ revision, isGivenBack }: LeaseNews): void {
    this.connection.publish(isGivenBack ? subjects.givenBack : subjects.renewed, String(revision));
  }

  whenTold(told: (news: LeaseNews) => void): () => void {
    const subscriptions = [subjects.renewed, subjects.givenBack].map((subject) => {
      const callback = (_error: unknown, { data }: { readonly data: Uint8Array }) => {
        const revision = Number(Buffer.from(data).toString());
        if (Number.isSafeInteger(revision)) told({ revision, isGivenBack: subject === subjects.givenBack });
      };
      return this.connection.subscribe(subject, { callback });
    });
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }

  private async asked<Value>(ask: () => Promise<Value>): Promise<Value> {
    try {
      return await answeredOrLeft(this.connection, ask);
    } catch (error) {
      throw new LeaseUnanswered(error);
    }
  }
}
