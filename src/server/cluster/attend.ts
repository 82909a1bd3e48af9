/** Whether the NATS servers keep the logs of a data folder, before anything is opened. */
import { type NatsAddress, type NatsClient, natsAccess } from '../../runtime/cluster/nats-access.ts';
import { assertServersKeep, assertStreamKeeps } from '../../runtime/cluster/nats-servers.ts';
import { StreamUnanswered } from '../../runtime/cluster/stream.ts';
import type { FolderManifest, FormerFolderManifest } from '../folder/manifest.ts';
import { isFormer } from '../folder/manifest.ts';
import { Register } from './register.ts';

/** With a connection that is closed afterwards. Rejects with an Error whose message is a sentence. */
export async function withServers<Result>(
  address: NatsAddress,
  work: (client: NatsClient) => Promise<Result>,
): Promise<Result> {
  const access = natsAccess(address);
  try {
    let client: NatsClient;
    try {
      client = await access.client();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`The NATS servers cannot be reached: ${reason}.`, { cause });
    }
    return await work(client);
  } finally {
    await access.close();
  }
}

/** Rejects with an Error whose message is a sentence. */
export async function assertAttended(
  address: NatsAddress,
  replicas: number,
  manifest: FolderManifest | FormerFolderManifest,
): Promise<void> {
  await withServers(address, async (client) => {
    await assertServersKeep(client, replicas);
    const registered = await (await Register.find(client))?.read();
    if (registered === undefined)
      throw new Error('The NATS servers have no logs of this server yet: run murmuration cluster init first.');
    const { id, generation = 0 } = isFormer(manifest) ? { id: undefined } : manifest;
    if (registered.id !== id) throw new Error('The NATS servers keep the logs of another data folder.');
    if (registered.partitions !== manifest.partitions || registered.generation !== generation)
      throw new Error(
        `The NATS servers keep the logs of ${registered.partitions} partitions, and the data folder has ${manifest.partitions} others.`,
      );
    for (let partition = 0; partition < manifest.partitions; partition += 1)
      await assertStreamKeeps(client, partition, replicas);
  });
}

/** The sentence in what a log refuses with. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isCarrier = error.name === 'LogRefusal' || error instanceof StreamUnanswered;
  return isCarrier && error.cause !== undefined ? sentenceOf(error.cause) : error.message;
}
