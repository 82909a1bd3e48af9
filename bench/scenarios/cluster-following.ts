/** How quickly a copy of a folder follows its logs, and what a node that stands by costs while others post. */
import { setTimeout } from 'node:timers/promises';
import { openHttpLoad } from '../generators/http-load.ts';
import { exactCpuMicrosecondsOf } from '../measure/process-cpu.ts';
import { openChild } from '../processes/child.ts';
import { endsOf } from '../processes/cluster.ts';
import type { Followed, FollowRequest } from '../processes/follower.ts';
import type { Server } from '../processes/server.ts';
import type { BenchContext, Figure } from '../scenario.ts';
import { partitions } from '../seed/community.ts';
import { postRequests } from '../seed/posts.ts';
import { type ServingNode, startStandby } from './cluster-node.ts';
import { percent } from './words.ts';

/** A node that has nothing to follow costs something too. */
const idleMilliseconds = 5_000;

export async function followingFigures(context: BenchContext, node: ServingNode, copy: string): Promise<Figure[]> {
  const { samples } = context;
  const ends = await endsOf(node.cluster, partitions);
  const child = openChild(new URL('../processes/follower.ts', import.meta.url));
  const { environment } = node.cluster;
  const request: FollowRequest = { dataDirectory: copy, partitions, environment };
  const followed = await child.ask<Followed>('catchUp', request).finally(() => child.stop());
  const records = sum(ends) - sum(node.cluster.begins);
  samples.write({ scenario: 'cluster', kind: 'replay', records, ...followed });
  const { bytes, wallMilliseconds, cpuMicroseconds } = followed;
  return [
    {
      what: 'a copy of the folder follows its logs from where they began',
      measured: bytes / 1_000 / wallMilliseconds,
      unit: 'MB a second',
      beside: `${(bytes / 1_000_000).toFixed(1)} MB in ${records} records, ${percent(cpuMicroseconds / 1_000 / wallMilliseconds)} of one core; ${million(cpuMicroseconds, records).toFixed(0)} CPU seconds a million records`,
    },
    await standingByFigure(context, node, copy),
  ];
}

async function standingByFigure(context: BenchContext, node: ServingNode, copy: string): Promise<Figure> {
  const { size, samples } = context;
  const standby = await startStandby(node, node.server.origin, copy);
  const load = openHttpLoad();
  try {
    const { host, port } = node.server;
    const requests = postRequests(node.data.facts, host);
    await load.prepare({ host, port, connections: size.connections, requests });
    await setTimeout(size.warmUpMilliseconds);
    const idle = await cpuDuring(standby, () => setTimeout(Math.min(idleMilliseconds, size.latencyMilliseconds)));
    const before = sum(await endsOf(node.cluster, partitions));
    const posting = await cpuDuring(standby, () => load.schedule(size.writesPerSecond, size.latencyMilliseconds));
    const records = sum(await endsOf(node.cluster, partitions)) - before;
    samples.write({ scenario: 'cluster', kind: 'standing by', records, idle, posting });
    const own = Math.max(0, posting.microseconds - (idle.microseconds * posting.milliseconds) / idle.milliseconds);
    return {
      what: 'a node that stands by, beside posts, besides what it costs when nothing happens',
      measured: million(own, records),
      unit: 'CPU seconds a million records',
      beside: `${records} records, ${size.writesPerSecond} posts a second; ${shareOf(posting)} of one core, ${shareOf(idle)} when nothing happens`,
    };
  } finally {
    await load.stop();
    await standby.stop();
  }
}

interface Cost {
  readonly microseconds: number;
  readonly milliseconds: number;
}

async function cpuDuring({ processId }: Server, work: () => Promise<unknown>): Promise<Cost> {
  const [startedAt, before] = [performance.now(), exactCpuMicrosecondsOf(processId)];
  await work();
  return { microseconds: exactCpuMicrosecondsOf(processId) - before, milliseconds: performance.now() - startedAt };
}

function shareOf({ microseconds, milliseconds }: Cost): string {
  return percent(microseconds / 1_000 / milliseconds);
}

/** Seconds for a million records. */
function million(microseconds: number, records: number): number {
  return microseconds / records;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
