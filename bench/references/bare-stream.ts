/**
 * The limit of a log on other machines: the records that a server has written to its streams, published again into streams of
 * the same kind, with the same expectation and several under way, by a client that does nothing else.
 */
import { performance } from 'node:perf_hooks';
import { type NatsAddress, type NatsClient, natsAccess } from '../../src/runtime/cluster/nats-access.ts';
import { createStream, streamOfPartition } from '../../src/runtime/cluster/nats-servers.ts';
import { NatsStream } from '../../src/runtime/cluster/nats-stream.ts';
import type { Window } from '../measure/pairs.ts';
import { serveChild } from '../processes/child.ts';

/** Of each stream: more than a partition has, which collects what comes while one is under way. */
const appendsUnderWay = 4;
/** Far from those of the server. */
const firstPartition = 1_000;

export interface BareStreams {
  readonly address: NatsAddress;
  readonly partitions: number;
  readonly replicas: number;
}

/** Of each partition, the last record before what is published again, and the last of it. */
export type Stretches = readonly { readonly after: number; readonly last: number }[];

let address: NatsAddress;
let clients: NatsClient[] = [];
let ends: number[] = [];

serveChild({ open, publish });

async function open(streams: BareStreams): Promise<void> {
  address = streams.address;
  const numbers = Array.from({ length: streams.partitions }, (_, partition) => partition);
  clients = await Promise.all(numbers.map(() => natsAccess(address).client()));
  ends = numbers.map(() => 0);
  for (const number of numbers) await createStream(clients[0]!, firstPartition + number, streams.replicas);
}

/** `operations` is what the records stand for. */
async function publish({ stretches, operations }: { stretches: Stretches; operations: number }): Promise<Window> {
  const records = await Promise.all(stretches.map(({ after, last }, partition) => read(partition, after, last)));
  const startedAt = performance.now();
  const startedCpu = process.cpuUsage();
  await Promise.all(records.map((ofPartition, partition) => publishAll(partition, ofPartition)));
  const { user, system } = process.cpuUsage(startedCpu);
  const wallMilliseconds = performance.now() - startedAt;
  return { operations, cpuMicroseconds: user + system, wallMilliseconds, busyShare: undefined, failures: 0 };
}

async function read(partition: number, after: number, last: number): Promise<Uint8Array[]> {
  const access = natsAccess(address);
  const stream = new NatsStream({ access, ...streamOfPartition(partition) });
  const found: Uint8Array[] = [];
  for await (const { bytes } of stream.replay(after + 1, last)) found.push(bytes);
  await stream.close();
  return found;
}

async function publishAll(partition: number, records: readonly Uint8Array[]): Promise<void> {
  const { jetstream } = clients[partition]!;
  const { subject } = streamOfPartition(firstPartition + partition);
  const queue = records.values();
  const next = async () => {
    for (const record of queue) {
      const lastSequence = ends[partition]!;
      ends[partition] = lastSequence + 1;
      await jetstream.publish(subject, record, { expect: { lastSequence } });
    }
  };
  await Promise.all(Array.from({ length: appendsUnderWay }, next));
}
