/** NATS servers on this machine, which keep the logs of a data folder. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOptions } from '../../src/options/load.ts';
import { type NatsAddress, natsAccess } from '../../src/runtime/cluster/nats-access.ts';
import { streamOfPartition } from '../../src/runtime/cluster/nats-servers.ts';
import { NatsStream } from '../../src/runtime/cluster/nats-stream.ts';
import { initCluster } from '../../src/server/cluster/init.ts';
import { openDataFolder } from '../../src/server/folder/data-folder.ts';
import { natsProgram, startNatsServer, startNatsServers } from '../../test/support/nats-server.ts';

export interface Cluster {
  readonly address: NatsAddress;
  /** The last record of each log when it was made. */
  readonly begins: readonly number[];
  /** Of each node. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * One server, or three that keep everything three times. The logs begin with what the stopped folder has. Throws where there
 * is no nats-server.
 */
export async function openCluster(dataDirectory: string, partitions: number, replicas: 1 | 3): Promise<Cluster> {
  const { path, missing } = natsProgram();
  if (missing !== undefined) throw new Error(`The logs of a cluster are in NATS servers: ${missing}.`);
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-bench-nats-'));
  const servers = replicas === 1 ? await startNatsServer(path, { folder }) : await startNatsServers(path, folder);
  const media = join(folder, 'media');
  mkdirSync(media);
  const environment = {
    MURMURATION_MEDIA_FOLDER: media,
    MURMURATION_CLUSTER: servers.address.servers.join(','),
    MURMURATION_CLUSTER_REPLICAS: String(replicas),
  };
  const options = loadOptions({ environment, configurationFolder: folder, arguments: [] });
  const { signal } = new AbortController();
  await initCluster(openDataFolder(dataDirectory), { options, replace: false, signal, show: () => undefined });
  const { address } = servers;
  return {
    ...{ address, environment, begins: await endsOf({ address }, partitions) },
    async stop() {
      await servers.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The last record of each log. */
export async function endsOf({ address }: Pick<Cluster, 'address'>, partitions: number): Promise<number[]> {
  const access = natsAccess(address);
  const ends: number[] = [];
  for (let partition = 0; partition < partitions; partition += 1)
    ends.push((await new NatsStream({ access, ...streamOfPartition(partition) }).bounds()).last);
  await access.close();
  return ends;
}
