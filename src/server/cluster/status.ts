/** `murmuration cluster status`: what the NATS servers tell about the nodes and the logs, from any machine that reaches them. */
import { setTimeout } from 'node:timers/promises';
import type { Options } from '../../options/table.ts';
import { leaseTimes } from '../../runtime/cluster/lease.ts';
import type { NatsClient } from '../../runtime/cluster/nats-access.ts';
import { streamOfPartition } from '../../runtime/cluster/nats-servers.ts';
import { foundRegister, withServers } from './attend.ts';
import { addressOf, onItsOwn } from './cluster-logs.ts';
import { type ClusterNode, Nodes } from './nodes.ts';
import type { Register } from './register.ts';

/** Lines for the operator. Rejects with an Error whose message is a sentence. */
export async function clusterStatus(options: Options, signal: AbortSignal): Promise<string[]> {
  const address = addressOf(options);
  if (address === undefined) throw new Error(onItsOwn);
  return await withServers(address, async (client) => {
    const { register, registered } = await foundRegister(client);
    const nodes = await (await Nodes.open(client, options.clusterReplicas)).list();
    return [
      await serving(register, signal),
      ...nodes.map(lineOfNode),
      ...(await Promise.all(Array.from({ length: registered.partitions }, (_, partition) => log(client, partition)))),
    ];
  });
}

/** Whether somebody serves is seen from a renewal. */
async function serving({ lease }: Register, signal: AbortSignal): Promise<string> {
  const before = await lease.read();
  if (before?.holder === undefined) return 'Nobody serves.';
  const { address, node } = before.holder;
  const whose = node === undefined ? address : `${address} at ${node}`;
  await setTimeout(leaseTimes.renewMilliseconds + leaseTimes.lookMilliseconds, undefined, { signal });
  const after = await lease.read();
  if (after?.revision !== before.revision) return `Serves: ${whose}`;
  return `${whose} has the lease, and does not renew it: the next node takes over in ${leaseTimes.takeMilliseconds / 1_000} seconds at most.`;
}

function lineOfNode({ name, serves, version, records, seconds }: ClusterNode): string {
  const state = serves ? 'serves' : `stands by, ${records} records behind, up to date ${seconds} s ago`;
  return `Node ${name}, version ${version}: ${state}`;
}

async function log({ manager }: NatsClient, partition: number): Promise<string> {
  const { name } = streamOfPartition(partition);
  const { state, config, cluster } = await manager.streams.info(name);
  const replicas = cluster?.replicas ?? [];
  const current = 1 + replicas.filter(({ current }) => current).length;
  const leader = cluster?.leader ?? 'nobody';
  return `Log ${partition}: ${state.messages} records, ${(state.bytes / 1_000_000).toFixed(1)} MB, ${current} of ${config.num_replicas} replicas up to date, led by ${leader}`;
}
