/** Nodes of a cluster, as the scenarios about it use them. */
import type { Cluster } from '../processes/cluster.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { SeededData } from '../seed/cache.ts';
import type { CommunityFacts } from '../seed/community.ts';

/** A server that runs, on its own or in a cluster. */
export interface BenchNode {
  readonly server: Server;
  readonly data: SeededData<CommunityFacts>;
  readonly cluster: Cluster | undefined;
}

export interface ServingNode extends BenchNode {
  readonly cluster: Cluster;
}

const [one, two] = ['127.0.0.1', '127.0.0.2'];

/** Settles when it follows the logs. It has another address, and the origin of the node that serves. */
export function startStandby({ server, cluster }: ServingNode, origin: string, dataDirectory: string): Promise<Server> {
  const host = server.host === one ? two : one;
  const { port } = server;
  const node = { MURMURATION_ORIGIN: origin, MURMURATION_CLUSTER_NODE: `http://${host}:${port}` };
  const environment = { ...cluster.environment, ...node };
  return startServer({ dataDirectory, host, port, environment, until: 'It follows the logs.' });
}
