/** The partitions of a server in a cluster: their logs are streams, their files views of these. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Options } from '../../options/table.ts';
import type { NatsAccess, NatsAddress } from '../../runtime/cluster/nats-access.ts';
import { streamOfPartition } from '../../runtime/cluster/nats-servers.ts';
import { NatsStream } from '../../runtime/cluster/nats-stream.ts';
import { StreamLog } from '../../runtime/cluster/stream-log.ts';
import { LmdbLog, type LmdbOptions } from '../../runtime/storage/lmdb-log.ts';
import { systemClock } from '../../runtime/threads/clock.ts';

export const onItsOwn = 'This server is on its own: MURMURATION_CLUSTER is not set.';

/** Undefined for a server that is on its own. */
export function addressOf(options: Options): NatsAddress | undefined {
  const { cluster: servers, clusterCredentials: credentialsFile, clusterAuthorities: authoritiesFile } = options;
  return servers === undefined ? undefined : { servers, credentialsFile, authoritiesFile };
}

/** Closes the access with itself. */
export function clusterLog(access: NatsAccess, partition: number, file: LmdbOptions): StreamLog {
  return new StreamLog({
    stream: new NatsStream({ access, ...streamOfPartition(partition), isAskedAgain: true }),
    store: new LmdbLog(file),
    writer: randomUUID(),
    clock: systemClock,
    pause: (milliseconds) => setTimeout(milliseconds),
  });
}
