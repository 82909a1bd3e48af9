/**
 * What the search in posts costs those who do not search: POST and home with the index and without it (MURMURATION_SEARCH),
 * in turn on one core, and how much of that the thread of the search takes for itself.
 */
import { httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { atRest } from '../measure/at-rest.ts';
import { type PairedRuns, runPairs, type Window, warmUp } from '../measure/pairs.ts';
import { median } from '../measure/statistics.ts';
import { grown, type ThreadCpu, threadCpuOf } from '../measure/thread-cpu.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { type CommunityFacts, communitySeed } from '../seed/community.ts';
import { tokenOf } from '../seed/people.ts';
import { postRequests } from '../seed/posts.ts';
import type { Size } from '../sizes.ts';
import { stopAll } from './words.ts';

const name = 'beside-search';
const costAtMost = 1.03;
const askedForSearch = 200;
/** More than elsewhere: what is looked for is small. */
const pairsPerPair = 2;

export const besideSearchScenario: Scenario = {
  name,
  summary: 'POST and home with the index of search, against those without it',
  async run({ size, seeds, samples }) {
    const seed = communitySeed(size.community);
    const core = coresOfPinnedRun().measured;
    const sides: Side[] = [];
    try {
      for (const search of ['on', 'off']) {
        const data = await seeds.open(seed);
        const environment = { MURMURATION_SEARCH: search };
        const server = await startServer({ dataDirectory: data.dataDirectory, core, environment });
        sides.push({ server, facts: data.facts, remove: data.remove });
        await atRest(server);
      }
      const [withSearch, without] = sides as [Side, Side];
      const thread = await threadOfSearch(withSearch);
      const figures: Figure[] = [];
      for (const [what, requests] of Object.entries(asked)) {
        const runs = await measure(size, withSearch, without, requests, thread);
        for (const pair of runs.pairs) samples.write({ scenario: name, kind: 'pair', what, ...pair });
        figures.push(...figuresOf(what, runs));
      }
      return figures;
    } finally {
      await stopAll(...sides.map(({ server }) => server));
      for (const { remove } of sides) remove();
    }
  },
};

interface Side {
  readonly server: Server;
  readonly facts: CommunityFacts;
  remove(): void;
}

const asked: Readonly<Record<string, (facts: CommunityFacts, host: string) => string[]>> = {
  POST: postRequests,
  'GET of home': ({ readers }, host) =>
    readers.map((reader) => httpRequest('GET', host, '/api/v1/timelines/home', { token: tokenOf(reader) })),
};

/** The thread that works when somebody searches, and not when somebody reads a home. */
async function threadOfSearch({ server, facts }: Side): Promise<string> {
  const reader = facts.readers[0]!;
  const ask = async (path: string) => {
    const before = threadCpuOf(server.processId);
    for (let count = 0; count < askedForSearch; count += 1) {
      const answer = await fetch(server.origin + path, { headers: { authorization: `Bearer ${tokenOf(reader)}` } });
      if (!answer.ok) throw new Error(`${path} is answered ${answer.status}`);
      await answer.arrayBuffer();
    }
    return grown(before, threadCpuOf(server.processId));
  };
  const home = await ask('/api/v1/timelines/home');
  const search = await ask('/api/v2/search?type=statuses&q=post+-nothing');
  const times = (thread: string) => search.get(thread)! / (1_000 + (home.get(thread) ?? 0));
  return [...search.keys()].reduce((most, thread) => (times(thread) > times(most) ? thread : most));
}

interface Runs extends PairedRuns {
  /** Microseconds of the thread of the search for each operation. */
  readonly ofSearch: number;
}

async function measure(
  size: Size,
  withSearch: Side,
  without: Side,
  requests: (facts: CommunityFacts, host: string) => string[],
  thread: string,
): Promise<Runs> {
  const { generator } = coresOfPinnedRun();
  const loads = [];
  for (const { server, facts } of [withSearch, without]) {
    const load = openHttpLoad(generator);
    const { host, port } = server;
    await load.prepare({ host, port, connections: size.walkConnections, requests: requests(facts, host) });
    loads.push(load);
  }
  const [loadWith, loadWithout] = loads as [(typeof loads)[0], (typeof loads)[0]];
  const ofSearch: number[] = [];
  const windowWith = async (): Promise<Window> => {
    const before: ThreadCpu = threadCpuOf(withSearch.server.processId);
    const window = await loadWith.waves(withSearch.server.processId, size.windowMilliseconds);
    // What the posts of this window are read for belongs to them.
    await atRest(withSearch.server);
    const search = grown(before, threadCpuOf(withSearch.server.processId)).get(thread) ?? 0;
    ofSearch.push(search / window.operations);
    return { ...window, cpuMicroseconds: exactSum(before, withSearch) };
  };
  const windowWithout = async (): Promise<Window> => {
    const before: ThreadCpu = threadCpuOf(without.server.processId);
    const window = await loadWithout.waves(without.server.processId, size.windowMilliseconds);
    await atRest(without.server);
    return { ...window, cpuMicroseconds: exactSum(before, without) };
  };
  try {
    await warmUp(windowWith);
    await warmUp(windowWithout);
    ofSearch.length = 0;
    // The ratio is that of the second to the first: how much more it costs with the index.
    const runs = await runPairs(pairsPerPair * size.pairs, windowWithout, windowWith);
    return { ...runs, ofSearch: median(ofSearch) };
  } finally {
    await stopAll(...loads);
  }
}

function exactSum(before: ThreadCpu, { server }: Side): number {
  return [...grown(before, threadCpuOf(server.processId)).values()].reduce((sum, one) => sum + one, 0);
}

function figuresOf(what: string, runs: Runs): Figure[] {
  const { ratio, lowest, highest, serverMicroseconds: off, referenceMicroseconds: on, ofSearch } = runs;
  const others = runs.pairs.map(({ server, reference }) => {
    const each = ({ cpuMicroseconds, operations }: Window) => cpuMicroseconds / operations;
    return (each(reference) - ofSearch) / each(server);
  });
  return [
    {
      what: `${what} with the index of search, without its thread`,
      measured: median(others),
      unit: 'times that without the index',
      lowest: Math.min(...others),
      highest: Math.max(...others),
      target: { atMost: costAtMost },
      beside: `CPU ${(on - ofSearch).toFixed(1)} µs, without the index ${off.toFixed(1)} µs`,
    },
    {
      what: `${what} with the index of search, the whole server`,
      measured: ratio,
      unit: 'times that without the index',
      lowest,
      highest,
      beside: `CPU ${on.toFixed(1)} µs, of which the thread of the search ${ofSearch.toFixed(1)} µs; without the index ${off.toFixed(1)} µs`,
    },
  ];
}
