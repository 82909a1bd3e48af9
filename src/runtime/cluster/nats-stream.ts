/**
 * The stream of one partition in NATS JetStream.
 *
 * A message has no Nats-Msg-Id: servers look it up before the expected sequence, so that an owner that is over would be told
 * that its record is stored where another one's is. What decides is asked of the stream's leader: others may be behind.
 */
import type { JetStreamApiError, StreamInfo } from '@nats-io/jetstream';
import { answeredOrLeft, type NatsAccess, type NatsClient } from './nats-access.ts';
import { majorityOf } from './nats-servers.ts';
import { type LogStream, type Published, type StoredRecord, StreamUnanswered } from './stream.ts';

export interface NatsStreamOptions {
  readonly access: NatsAccess;
  readonly name: string;
  readonly subject: string;
  /** Where it ends is asked again where there is no answer. */
  readonly isAskedAgain?: boolean;
}

/** Larger messages make a server slow. */
const recordBytesMax = 4 * 1024 * 1024;
/** What a message has besides its record. */
const headerBytes = 1024;
/** Up to so many records are asked for one by one. */
const singlyMax = 16;
const replayBytes = 4 * 1024 * 1024;

/** Codes of the servers where somebody else was first. */
const wrongLastSequence = [10_071, 10_164];
/** The stream has as many bytes or messages as it may, or the server or the account has no room. */
const noRoom = [10_002, 10_023, 10_028, 10_047, 10_076, 10_077];

export class NatsStream implements LogStream {
  private readonly options: NatsStreamOptions;

  constructor(options: NatsStreamOptions) {
    this.options = options;
  }

  recordBytesMax(): Promise<number> {
    return this.asked(({ connection }) => {
      const allowed = connection.info?.max_payload ?? 0;
      return Promise.resolve(Math.min(allowed, recordBytesMax) - headerBytes);
    });
  }

  async publish(record: Uint8Array, last: number): Promise<Published> {
    try {
      const { jetstream, connection } = await this.options.access.client();
      const options = { expect: { lastSequence: last }, timeout: this.options.access.answerMilliseconds };
      const publish = () => jetstream.publish(this.options.subject, record, options);
      const { seq, duplicate } = await answeredOrLeft(connection, publish);
      return duplicate ? { kind: 'conflict' } : { kind: 'stored', sequence: seq };
    } catch (error) {
      if (isConflict(error)) return { kind: 'conflict' };
      return { kind: noRoom.includes(codeOf(error)) ? 'full' : 'unanswered', cause: error };
    }
  }

  async bounds(): Promise<{ readonly first: number; readonly last: number }> {
    const { name, isAskedAgain } = this.options;
    const { state } = await this.asked(async ({ manager, quickManager }) => {
      const info = await (isAskedAgain === true ? quickManager : manager).streams.info(name);
      if (!leads(info)) throw new Error('who answers does not lead the stream, or is out of touch with the others');
      return info;
    });
    return { first: Math.max(1, state.first_seq), last: state.last_seq };
  }

  info(): Promise<StreamInfo> {
    return this.asked(({ manager }) => manager.streams.info(this.options.name));
  }

  get(sequence: number): Promise<StoredRecord | undefined> {
    return this.asked(async ({ manager }) => {
      const message = await manager.streams.getMessage(this.options.name, { seq: sequence });
      return message === null ? undefined : { sequence: message.seq, bytes: message.data };
    });
  }

  async *replay(from: number, to: number): AsyncGenerator<StoredRecord> {
    if (to - from >= singlyMax) yield* this.consumed(from, to);
    else
      for (let sequence = from; sequence <= to; sequence += 1) {
        const stored = await this.get(sequence);
        if (stored !== undefined) yield stored;
      }
  }

  async truncate(before: number): Promise<void> {
    await this.asked(({ manager }) => manager.streams.purge(this.options.name, { seq: before }));
  }

  close(): Promise<void> {
    return this.options.access.close();
  }

  /** By a consumer, which exists as long as it is read. It may lag behind the leader: then the rest is waited for. */
  private async *consumed(from: number, to: number): AsyncGenerator<StoredRecord> {
    const messages = await this.asked(async ({ jetstream }) => {
      const consumer = await jetstream.consumers.get(this.options.name, { opt_start_seq: from });
      return await consumer.consume({ max_bytes: replayBytes });
    });
    let timer: NodeJS.Timeout | undefined;
    let isSilent = false;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isSilent = true;
        messages.stop();
      }, this.options.access.answerMilliseconds);
    };
    try {
      watch();
      for await (const message of messages) {
        yield { sequence: message.seq, bytes: message.data };
        if (message.seq >= to) return;
        watch();
      }
      if (isSilent) throw new StreamUnanswered(new Error('records stopped coming'));
    } finally {
      clearTimeout(timer);
      await messages.close();
    }
  }

  private async asked<Value>(ask: (client: NatsClient) => Promise<Value>): Promise<Value> {
    try {
      const client = await this.options.access.client();
      return await answeredOrLeft(client.connection, () => ask(client));
    } catch (error) {
      throw new StreamUnanswered(error);
    }
  }
}

/** The others elect somebody else once they have heard nothing of a leader for so long, and not before. */
const electionNanoseconds = 4_000_000_000;

/**
 * Whether the end that is told is that of the stream. While nobody leads one that is behind may answer, and a leader that is cut
 * off goes on to. Whoever answers lists the others.
 */
function leads({ cluster, config }: Pick<StreamInfo, 'cluster' | 'config'>): boolean {
  if (cluster === undefined) return true;
  const { leader, replicas = [] } = cluster;
  if (!leader || replicas.some(({ name }) => name === leader)) return false;
  const heard = replicas.filter(({ offline, active }) => offline !== true && active < electionNanoseconds);
  return heard.length + 1 >= majorityOf(config.num_replicas);
}

/** Somebody else was first. */
export function isConflict(error: unknown): boolean {
  return wrongLastSequence.includes(codeOf(error));
}

/** Of an answer that refuses; 0 of every other error. */
export function codeOf(error: unknown): number {
  return error instanceof Error && error.name === 'JetStreamApiError' ? (error as JetStreamApiError).code : 0;
}
