/** A child that brings a copy of a data folder up to date with its logs, as a node that stands by does. */
import { performance } from 'node:perf_hooks';
import { loadOptions } from '../../src/options/load.ts';
import { natsAccess } from '../../src/runtime/cluster/nats-access.ts';
import { addressOf } from '../../src/server/cluster/cluster-logs.ts';
import { follow } from '../../src/server/cluster/follow.ts';
import { openFollowing } from '../../src/server/cluster/prepare.ts';
import { openDataFolder } from '../../src/server/folder/data-folder.ts';
import { serveChild } from './child.ts';

export interface FollowRequest {
  readonly dataDirectory: string;
  readonly partitions: number;
  readonly environment: Readonly<Record<string, string>>;
}

export interface Followed {
  readonly bytes: number;
  readonly wallMilliseconds: number;
  readonly cpuMicroseconds: number;
}

serveChild({ catchUp });

async function catchUp({ dataDirectory, partitions, environment }: FollowRequest): Promise<Followed> {
  const options = loadOptions({ environment, configurationFolder: dataDirectory, arguments: [] });
  const access = natsAccess(addressOf(options)!);
  const logs = openFollowing(await access.client(), openDataFolder(dataDirectory), partitions);
  const startedAt = performance.now();
  const startedCpu = process.cpuUsage();
  await follow(logs, { caughtUp: () => undefined, pause: () => Promise.resolve() });
  const { user, system } = process.cpuUsage(startedCpu);
  const wallMilliseconds = performance.now() - startedAt;
  const bytes = logs.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  await Promise.all(logs.map((log) => log.close()));
  await access.close();
  return { bytes, wallMilliseconds, cpuMicroseconds: user + system };
}
