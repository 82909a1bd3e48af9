/** A client of NATS that does nothing but publish, and how long nobody confirms that: what remains of a stall is its server's. */
import { setTimeout } from 'node:timers/promises';
import { answeredOrLeft, type NatsAccess, type NatsClient, natsAccess } from '../../src/runtime/cluster/nats-access.ts';
import type { NatsServer, NatsServers } from './nats-server.ts';
import { longestGap } from './stalls.ts';

const stream = 'bare';
const pauseMilliseconds = 50;
const answerMilliseconds = 1_000;
const silencePauseMilliseconds = 100;
const elected = '$JS.EVENT.ADVISORY.STREAM.LEADER_ELECTED.';

interface Election {
  readonly stream: string;
  readonly at: number;
}

export class BareWriter {
  private readonly access: NatsAccess;
  private readonly client: NatsClient;
  private readonly confirmedAt: number[] = [];
  private readonly elections: Election[] = [];
  private isOver = false;
  private readonly work: Promise<void>;

  private constructor(access: NatsAccess, client: NatsClient) {
    this.access = access;
    this.client = client;
    const told = (_error: unknown, { subject }: { readonly subject: string }) =>
      void this.elections.push({ stream: subject.slice(elected.length), at: performance.now() });
    client.connection.subscribe(`${elected}>`, { callback: told });
    this.work = this.write();
  }

  static async begin({ address }: NatsServers): Promise<BareWriter> {
    const access = natsAccess(address, answerMilliseconds);
    const client = await access.client();
    await client.manager.streams.add({ name: stream, subjects: [stream], num_replicas: 3 });
    return new BareWriter(access, client);
  }

  /** From now on this server leads its stream, as far as that can be wished for. */
  async follow({ name }: NatsServer): Promise<void> {
    const wish = JSON.stringify({ placement: { preferred: name } });
    await this.client.connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`, wish);
  }

  /** In milliseconds. */
  stallSince(began: number): number {
    return longestGap([began, ...this.confirmedAt.filter((at) => at > began), performance.now()]).milliseconds;
  }

  electionsSince(began: number): Election[] {
    return this.elections.filter(({ at }) => at > began);
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.work;
    await this.access.close();
  }

  private async write(): Promise<void> {
    const { connection, jetstream } = this.client;
    while (!this.isOver) {
      try {
        await answeredOrLeft(connection, () => jetstream.publish(stream, 'a record', { timeout: answerMilliseconds }));
        this.confirmedAt.push(performance.now());
        await setTimeout(pauseMilliseconds);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        await setTimeout(silencePauseMilliseconds);
      }
    }
  }
}
