/** Latency as people see it: the server no longer pinned, requests due at a stated rate whatever the answers do. */
import { openHttpLoad } from '../generators/http-load.ts';
import { percentile } from '../measure/statistics.ts';
import { unpin } from '../processes/cores.ts';
import type { Server } from '../processes/server.ts';
import type { BenchContext, Figure } from '../scenario.ts';
import { percent } from './words.ts';

export interface OpenLoop {
  readonly name: string;
  readonly what: string;
  readonly server: Server;
  readonly perSecond: number;
  readonly requests: readonly string[];
}

const ranks = [50, 99];

/** Unpins the server for good. */
export async function openLoopFigures(context: BenchContext, loop: OpenLoop): Promise<Figure[]> {
  const { size } = context;
  const { host, port, processId } = loop.server;
  unpin(processId);
  const load = openHttpLoad();
  try {
    await load.prepare({ host, port, connections: size.connections, requests: loop.requests });
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
    await load.stop();
  }
}
