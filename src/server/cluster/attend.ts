/** Whether the NATS servers keep the logs of a data folder, before anything is opened. */
import { setTimeout } from 'node:timers/promises';
import {
  type NatsAccess,
  type NatsAddress,
  type NatsClient,
  natsAccess,
  temporarilyUnavailable,
} from '../../runtime/cluster/nats-access.ts';
import { assertServersKeep, assertStreamKeeps, majorityOf } from '../../runtime/cluster/nats-servers.ts';
import { codeOf } from '../../runtime/cluster/nats-stream.ts';
import { StreamUnanswered } from '../../runtime/cluster/stream.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import type { FolderManifest } from '../folder/manifest.ts';
import { Register, type Registration } from './register.ts';

/** With a connection that is closed afterwards. Rejects with an Error whose message is a sentence. */
export async function withServers<Result>(
  address: NatsAddress,
  work: (client: NatsClient) => Promise<Result>,
): Promise<Result> {
  const access = natsAccess(address);
  try {
    return await work(await reached(access));
  } finally {
    await access.close();
  }
}

/** Rejects with an Error whose message is a sentence. */
export async function reached(access: NatsAccess): Promise<NatsClient> {
  try {
    return await access.client();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The NATS servers cannot be reached: ${reason}.`, { cause });
  }
}

/** Rejects with an Error whose message is a sentence where `cluster init` was not run yet. */
export async function foundRegister(
  client: NatsClient,
): Promise<{ readonly register: Register; readonly registered: Registration }> {
  const register = await Register.find(client);
  const registered = await register?.read();
  if (register === undefined || registered === undefined)
    throw new Error(
      'The NATS servers have no logs of this server yet: run murmuration cluster init first. Where they had some and have lost them, run murmuration cluster repair on each node instead.',
    );
  return { register, registered };
}

/** The servers keep the logs of this folder, as far as they run. Rejects with an Error whose message is a sentence. */
export async function attended(
  client: NatsClient,
  replicas: number,
  { id, partitions, generation = 0 }: FolderManifest,
): Promise<{ readonly register: Register; readonly registered: Registration }> {
  await assertServersKeep(client, replicas, majorityOf(replicas));
  const found = await foundRegister(client);
  assertAttended(found.registered, { id, partitions, generation });
  for (let partition = 0; partition < partitions; partition += 1) await assertStreamKeeps(client, partition, replicas);
  return found;
}

/** An election takes up to nine seconds; a node that lost its lease over it starts meanwhile. */
const patienceMilliseconds = 15_000;
const silencePause = 250;
/** Of the client, where nobody answers or leads. */
const silences = new Set(['TimeoutError', 'RequestError', 'NoResponders', 'JetStreamNotEnabled']);

/** Asks again while the servers are silent, for as long as that may be for an election. */
export async function answered<Value>(ask: () => Promise<Value>): Promise<Value> {
  const end = systemClock.monotonic() + patienceMilliseconds;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isSilence(error) || systemClock.monotonic() > end) throw error;
    }
    await setTimeout(silencePause);
  }
}

function isSilence(error: unknown): boolean {
  return error instanceof Error && (silences.has(error.name) || codeOf(error) === temporarilyUnavailable);
}

/** Throws an Error with a sentence. */
export function assertAttended(
  registered: Registration,
  { id, partitions, generation = 0 }: Pick<FolderManifest, 'id' | 'partitions' | 'generation'>,
): void {
  if (registered.repairing === true)
    throw new Error('A repair of the logs has begun, and is not finished: run murmuration cluster repair.');
  if (registered.id !== id) throw new Error('The NATS servers keep the logs of another data folder.');
  if (registered.partitions !== partitions || registered.generation !== generation)
    throw new Error(
      `The NATS servers keep the logs of ${registered.partitions} partitions, and the data folder has ${partitions} others.`,
    );
}

/** The sentence in what a log refuses with. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isCarrier = error.name === 'LogRefusal' || error instanceof StreamUnanswered;
  return isCarrier && error.cause !== undefined ? sentenceOf(error.cause) : error.message;
}
