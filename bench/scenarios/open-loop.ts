/** Latency as people see it: the server unpinned, requests due at a stated rate whatever the answers do. */
import { openHttpLoad } from '../load/http-load.ts';
import { percentile } from '../measure/statistics.ts';
import { startServer } from '../processes/server.ts';
import type { BenchContext, Figure } from '../scenario.ts';
import { percent, stopAll } from './words.ts';

export interface OpenLoop {
  readonly name: string;
  readonly what: string;
  readonly dataDirectory: string;
  readonly perSecond: number;
  requests(host: string): readonly string[];
}

const ranks = [50, 99];

export async function openLoopFigures(context: BenchContext, loop: OpenLoop): Promise<Figure[]> {
  const { size } = context;
  const server = await startServer({ dataDirectory: loop.dataDirectory });
  const load = openHttpLoad();
  try {
    const { host, port } = server;
    await load.prepare({ host, port, connections: size.connections, requests: loop.requests(host) });
    await load.schedule(loop.perSecond, size.warmUpMilliseconds);
    const { latencies, ...rest } = await load.schedule(loop.perSecond, size.latencyMilliseconds);
    if (rest.failures > 0) throw new Error(`${rest.failures} answers failed`);
    context.samples.write({ scenario: loop.name, kind: 'latency', ...rest, milliseconds: [...latencies] });
    return ranks.map((rank) => ({
      what: `${loop.what}: latency p${rank}, open loop, ${loop.perSecond}/s, unpinned`,
      measured: percentile(latencies, rank),
      unit: 'ms',
      beside: `${rest.operations} requests; generator busy ${percent(rest.busyShare)}`,
    }));
  } finally {
    await stopAll(load, server);
  }
}
