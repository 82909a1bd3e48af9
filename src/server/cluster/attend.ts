/** Whether the NATS servers keep the logs of a data folder, before anything is opened. */
import { type NatsAccess, type NatsAddress, type NatsClient, natsAccess } from '../../runtime/cluster/nats-access.ts';
import { assertServersKeep, assertStreamKeeps } from '../../runtime/cluster/nats-servers.ts';
import { StreamUnanswered } from '../../runtime/cluster/stream.ts';
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
    throw new Error('The NATS servers have no logs of this server yet: run murmuration cluster init first.');
  return { register, registered };
}

/** The servers keep the logs of this folder. Rejects with an Error whose message is a sentence. */
export async function attended(
  client: NatsClient,
  replicas: number,
  { id, partitions, generation = 0 }: FolderManifest,
): Promise<{ readonly register: Register; readonly registered: Registration }> {
  await assertServersKeep(client, replicas);
  const found = await foundRegister(client);
  assertAttended(found.registered, { id, partitions, generation });
  for (let partition = 0; partition < partitions; partition += 1) await assertStreamKeeps(client, partition, replicas);
  return found;
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
