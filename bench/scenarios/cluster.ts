/**
 * A server whose logs are in NATS servers on the same machine. Posts a second, in turn with a bare client that publishes the very
 * records of each window again; reads beside those of a server on its own; how a node that stands by follows; and for how
 * long nobody can post while another node takes over. Server, NATS servers and generator share the cores and one disk.
 */
import { cpSync, rmSync } from 'node:fs';
import { httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { atRest } from '../measure/at-rest.ts';
import { runPairs, type Window, warmUp } from '../measure/pairs.ts';
import { openChild } from '../processes/child.ts';
import { endsOf, openCluster } from '../processes/cluster.ts';
import { coresOfPinnedRun, unpin } from '../processes/cores.ts';
import { startServer } from '../processes/server.ts';
import type { BareStreams, Stretches } from '../references/bare-stream.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import type { SeededData } from '../seed/cache.ts';
import { type CommunityFacts, communitySeed, partitions } from '../seed/community.ts';
import { tokenOf } from '../seed/people.ts';
import { postRequests } from '../seed/posts.ts';
import { followingFigures } from './cluster-following.ts';
import type { BenchNode, ServingNode } from './cluster-node.ts';
import { takeOverFigures } from './cluster-take-over.ts';
import { openLoopFigures } from './open-loop.ts';
import { percent, stopAll } from './words.ts';

const name = 'cluster';
const postsAtLeast = 0.5;
const readsAtLeast = 0.97;
const statusesMax = 5_000;

export const clusterScenario: Scenario = {
  name,
  runsWhenNamed: true,
  summary: 'a server whose logs are in NATS servers, against a bare client that publishes the same records',
  async run(context) {
    const figures: Figure[] = [];
    const alone = await start(context);
    try {
      figures.push(...(await withCluster(context, 1, (node) => postFigures(context, node, 1))));
      figures.push(
        ...(await withCluster(context, 3, async (node, copy) => [
          await readFigure(context, node, alone),
          ...(await postFigures(context, node, 3)),
          ...(await followingFigures(context, node, copy)),
          ...(await takeOverFigures(context, node, copy)),
        ])),
      );
      unpin(alone.server.processId);
      figures.push(...(await ownFigures(context, alone)));
    } finally {
      await alone.server.stop();
      alone.data.remove();
    }
    return figures;
  },
};

async function start({ size, seeds, profileFolder }: BenchContext, replicas?: 1 | 3): Promise<BenchNode> {
  const data = await seeds.open(communitySeed(size.community));
  const cluster = replicas && (await openCluster(data.dataDirectory, partitions, replicas));
  if (cluster !== undefined) cpSync(data.dataDirectory, copyOf(data), { recursive: true });
  const { measured: core } = coresOfPinnedRun();
  const { dataDirectory } = data;
  const environment = cluster?.environment ?? {};
  const server = await startServer({ dataDirectory, core, environment, profileFolder });
  // It indexes the whole community first, which would take a third of the machine from whatever is measured.
  await atRest(server);
  return { server, data, cluster };
}

function copyOf({ dataDirectory }: SeededData<CommunityFacts>): string {
  return `${dataDirectory}-copy`;
}

/** `work` also gets a copy of the folder as it was when the logs began. It may end the server. */
async function withCluster(
  context: BenchContext,
  replicas: 1 | 3,
  work: (node: ServingNode, copy: string) => Promise<Figure[]>,
): Promise<Figure[]> {
  const node = await start(context, replicas);
  const copy = copyOf(node.data);
  try {
    return await work({ ...node, cluster: node.cluster! }, copy);
  } finally {
    await node.server.stop();
    await node.cluster!.stop();
    rmSync(copy, { recursive: true, force: true });
    node.data.remove();
  }
}

async function readFigure({ size, samples }: BenchContext, node: BenchNode, alone: BenchNode): Promise<Figure> {
  const cores = coresOfPinnedRun();
  const [onNode, onAlone] = [openHttpLoad(cores.generator), openHttpLoad(cores.generator)];
  try {
    for (const [load, { server, data }] of [
      [onNode, node],
      [onAlone, alone],
    ] as const) {
      const requests = readsOf(data.facts, server.host);
      await load.prepare({ ...server, connections: size.connections, requests });
      await warmUp(() => load.waves(server.processId, size.warmUpMilliseconds));
    }
    const runs = await runPairs(
      size.pairs,
      () => onNode.waves(node.server.processId, size.windowMilliseconds),
      () => onAlone.waves(alone.server.processId, size.windowMilliseconds),
    );
    for (const pair of runs.pairs) samples.write({ scenario: name, kind: 'reads', ...pair });
    return {
      what: 'GET of one status in a cluster',
      measured: runs.ratio,
      unit: 'of a server on its own',
      lowest: runs.lowest,
      highest: runs.highest,
      target: { atLeast: readsAtLeast },
      beside: `CPU ${runs.serverMicroseconds.toFixed(1)} µs a request, on its own ${runs.referenceMicroseconds.toFixed(1)} µs; generator busy ${percent(runs.busyShare)}`,
    };
  } finally {
    await stopAll(onNode, onAlone);
  }
}

function readsOf({ statuses, readers }: CommunityFacts, host: string): string[] {
  return statuses
    .slice(0, statusesMax)
    .map((id, index) =>
      httpRequest('GET', host, `/api/v1/statuses/${id}`, { token: tokenOf(readers[index % readers.length]!) }),
    );
}

const postOf = (replicas: number) =>
  `POST of a status, logs on ${replicas} NATS ${replicas === 1 ? 'server' : 'servers'}`;

async function postFigures(
  context: BenchContext,
  { server, data, cluster }: ServingNode,
  replicas: 1 | 3,
): Promise<Figure[]> {
  const { size, samples } = context;
  unpin(server.processId);
  const bare = openChild(new URL('../references/bare-stream.ts', import.meta.url));
  const load = openHttpLoad();
  try {
    const requests = postRequests(data.facts, server.host);
    const { host, port } = server;
    await load.prepare({ host, port, connections: size.connections, requests });
    await bare.ask('open', { address: cluster.address, partitions, replicas } satisfies BareStreams);
    await warmUp(() => load.loop(server.processId, size.warmUpMilliseconds));
    const pairs: { readonly posts: Window; readonly bare: Window; readonly records: number }[] = [];
    server.toggleProfile();
    for (let count = 0; count <= size.pairs; count += 1) {
      const before = await endsOf(cluster, partitions);
      const posts = await load.loop(server.processId, size.windowMilliseconds);
      if (posts.failures > 0) throw new Error(`${posts.failures} posts failed`);
      const after = await endsOf(cluster, partitions);
      const stretches: Stretches = after.map((last, partition) => ({ after: before[partition]!, last }));
      const { operations } = posts;
      const published = await bare.ask<Window>('publish', { stretches, operations });
      const records = stretches.reduce((sum, { after: first, last }) => sum + last - first, 0);
      // The first one warms the client up.
      if (count > 0) pairs.push({ posts, bare: published, records });
    }
    server.toggleProfile();
    for (const pair of pairs) samples.write({ scenario: name, kind: 'posts', replicas, ...pair });
    const ratios = pairs.map(({ posts, bare: reference }) => perSecond(posts) / perSecond(reference));
    const middle = pairs[ratios.indexOf(ratios.toSorted((one, other) => one - other)[ratios.length >> 1]!)]!;
    const { posts, records } = middle;
    const loop = { name, what: postOf(replicas), server, requests, perSecond: size.writesPerSecond };
    return [
      {
        what: postOf(replicas),
        measured: perSecond(posts) / perSecond(middle.bare),
        unit: 'of a bare client that publishes the same records',
        lowest: Math.min(...ratios),
        highest: Math.max(...ratios),
        target: { atLeast: postsAtLeast },
        beside: `${perSecond(posts).toFixed(0)} posts a second, bare ${perSecond(middle.bare).toFixed(0)}; ${(posts.operations / records).toFixed(1)} posts a record; CPU of the server ${(posts.cpuMicroseconds / posts.operations).toFixed(0)} µs a post, of the bare client ${(middle.bare.cpuMicroseconds / posts.operations).toFixed(0)} µs`,
      },
      ...(await openLoopFigures(context, loop)),
    ];
  } finally {
    await stopAll(load, bare);
  }
}

/** What the same machine does without a cluster. */
async function ownFigures(context: BenchContext, { server, data }: BenchNode): Promise<Figure[]> {
  const { size } = context;
  const load = openHttpLoad();
  try {
    const requests = postRequests(data.facts, server.host);
    const { host, port } = server;
    await load.prepare({ host, port, connections: size.connections, requests });
    await warmUp(() => load.loop(server.processId, size.warmUpMilliseconds));
    const posts = await load.loop(server.processId, size.windowMilliseconds);
    const what = 'POST of a status, on its own';
    const loop = { name, what, server, requests, perSecond: size.writesPerSecond };
    return [
      {
        what,
        measured: perSecond(posts),
        unit: 'a second',
        beside: `the same machine and load; CPU ${(posts.cpuMicroseconds / posts.operations).toFixed(0)} µs a post`,
      },
      ...(await openLoopFigures(context, loop)),
    ];
  } finally {
    await load.stop();
  }
}

function perSecond({ operations, wallMilliseconds }: Window): number {
  return (operations * 1_000) / wallMilliseconds;
}
