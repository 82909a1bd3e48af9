/** The stream of a partition for a command, over the connection that the command has. */
import { type NatsClient, sharedAccess } from '../../runtime/cluster/nats-access.ts';
import { streamOfPartition } from '../../runtime/cluster/nats-servers.ts';
import { NatsStream } from '../../runtime/cluster/nats-stream.ts';

/** Of one record or a purge, whose servers may be busy. */
const answerMilliseconds = 10_000;

export function partitionStream(client: NatsClient, partition: number): NatsStream {
  return new NatsStream({ access: sharedAccess(client, answerMilliseconds), ...streamOfPartition(partition) });
}
