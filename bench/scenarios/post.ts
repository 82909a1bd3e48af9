/**
 * POST of a status with one mention and one tag, answered from disk. The reference commits the puts of the same posts,
 * recorded from the same turns with as many in flight, into a copy of the same database.
 */
import { join } from 'node:path';
import { httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { type PairedRuns, runPairs, warmUp } from '../measure/pairs.ts';
import { openChild } from '../processes/child.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import type { SeededData } from '../seed/cache.ts';
import { type CommunityFacts, communitySeed, partitions } from '../seed/community.ts';
import { openOwners } from '../seed/owners.ts';
import { tokenOf } from '../seed/people.ts';
import { post, postRequests } from '../seed/posts.ts';
import { openRecorder, type RecordedSums } from '../seed/recording.ts';
import type { Size } from '../sizes.ts';
import { openLoopFigures } from './open-loop.ts';
import { percent, stopAll } from './words.ts';

const name = 'post';
const what = 'POST of a status with one mention and one tag, answered from disk';
const ratioAtLeast = 0.3;
const putsAtMost = 16;
const bytesAtMost = 6 * 1024;

export const postScenario: Scenario = {
  name,
  summary: `${what}, against bare LMDB group commits of the same puts and bytes`,
  async run(context) {
    const { size, seeds, samples, profileFolder } = context;
    const seed = communitySeed(size.community);
    const data = await seeds.open(seed);
    const copy = await seeds.open(seed);
    const recorded = await seeds.open(seed);
    const core = coresOfPinnedRun().measured;
    const server = await startServer({ dataDirectory: data.dataDirectory, core, profileFolder });
    try {
      const recording = await record(size, recorded);
      const runs = await pairs(size, server, data.facts, copy.dataDirectory, recording);
      for (const pair of runs.pairs) samples.write({ scenario: name, kind: 'pair', ...pair });
      const loop = {
        name,
        what,
        server,
        requests: postRequests(data.facts, server.host),
        perSecond: size.writesPerSecond,
      };
      return [...figuresOf(recording, runs), ...(await openLoopFigures(context, loop))];
    } finally {
      await server.stop();
      for (const one of [data, copy, recorded]) one.remove();
    }
  },
};

interface Recording {
  readonly path: string;
  /** One post on its own. */
  readonly single: RecordedSums;
  /** The windows after it, in order, all of `postsPerWindow` posts. */
  readonly windows: readonly RecordedSums[];
  readonly postsPerWindow: number;
}

/** The turns of as many posts as the reference needs, in waves of as many as the generator has connections. */
async function record(size: Size, data: SeededData<CommunityFacts>): Promise<Recording> {
  const path = join(data.dataDirectory, 'recording');
  const recorder = openRecorder(path);
  const owners = await openOwners({ dataDirectory: data.dataDirectory, partitions, wrapLog: recorder.wrap });
  let posted = 0;
  const wave = async (posts: number) => {
    const first = posted;
    posted += posts;
    await Promise.all(Array.from({ length: posts }, (_, index) => post(owners, data.facts, first + index)));
  };
  await wave(1);
  await owners.settled();
  const single = recorder.takeSums();
  const windows: RecordedSums[] = [];
  for (let index = 0; index < 1 + size.pairs; index += 1) {
    for (let count = 0; count < size.wavesPerWrittenWindow; count += 1) await wave(size.connections);
    await owners.settled();
    windows.push(recorder.takeSums());
  }
  await owners.close();
  recorder.close();
  return { path, single, windows, postsPerWindow: size.wavesPerWrittenWindow * size.connections };
}

async function pairs(
  size: Size,
  server: Server,
  facts: CommunityFacts,
  copyDirectory: string,
  recording: Recording,
): Promise<PairedRuns> {
  const cores = coresOfPinnedRun();
  const bare = openChild(new URL('../references/bare-commits.ts', import.meta.url), { core: cores.measured });
  const load = openHttpLoad(cores.generator);
  try {
    const { host, port, processId } = server;
    await load.prepare({ host, port, connections: size.connections, requests: homeRequests(facts, host) });
    await load.waves(processId, size.warmUpMilliseconds);
    await load.prepare({ host, port, connections: size.connections, requests: postRequests(facts, host) });
    await warmUp(() => load.waves(processId, size.warmUpMilliseconds));
    const paths = Array.from({ length: partitions }, (_, partition) => join(copyDirectory, `partition-${partition}`));
    await bare.ask('prepare', { paths, recording: recording.path });
    const nextWindow = recording.windows.values();
    const commit = () => {
      const { commits } = nextWindow.next().value!;
      return bare.ask<PairedRuns['pairs'][number]['reference']>('commit', {
        commits,
        operations: recording.postsPerWindow,
      });
    };
    await bare.ask('commit', { commits: recording.single.commits, operations: 1 });
    await commit();
    server.toggleProfile();
    const runs = await runPairs(size.pairs, () => load.waves(processId, size.windowMilliseconds), commit);
    server.toggleProfile();
    return runs;
  } finally {
    await stopAll(load, bare);
  }
}

/** Some feeds are warm, as on a server that people read. */
function homeRequests({ readers }: CommunityFacts, host: string): string[] {
  return readers.map((reader) => httpRequest('GET', host, '/api/v1/timelines/home', { token: tokenOf(reader) }));
}

function figuresOf({ single, windows, postsPerWindow }: Recording, runs: PairedRuns): Figure[] {
  const grouped = windows.at(-1)!;
  const each = (sum: number) => (sum / postsPerWindow).toFixed(1);
  return [
    {
      what,
      measured: runs.ratio,
      unit: 'of bare LMDB group commits',
      lowest: runs.lowest,
      highest: runs.highest,
      target: { atLeast: ratioAtLeast },
      beside: `CPU ${runs.serverMicroseconds.toFixed(0)} µs a post, bare ${runs.referenceMicroseconds.toFixed(0)} µs (${(postsPerWindow / grouped.commits).toFixed(1)} posts a commit); generator busy ${percent(runs.busyShare)}`,
    },
    {
      what: 'the same: puts of one post',
      measured: single.puts,
      unit: 'puts',
      target: { atMost: putsAtMost },
      beside: `alone, in ${single.commits} commits, with ${single.deletes} deletes; in groups ${each(grouped.puts)} puts and ${each(grouped.deletes)} deletes`,
    },
    {
      what: 'the same: bytes of one post, keys and values',
      measured: single.bytes,
      unit: 'B',
      target: { atMost: bytesAtMost },
      beside: `alone; in groups ${each(grouped.bytes)} B`,
    },
  ];
}
