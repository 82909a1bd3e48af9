/**
 * Every GET of the API document, in pages of 20 or of 40 accounts, against home timelines of the same reader in the same run. It
 * prints those above the line, so that no endpoint falls behind unseen, and those that refuse the request.
 */
import { type HttpLoad, httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { exactCpuMicrosecondsOf } from '../measure/process-cpu.ts';
import { median } from '../measure/statistics.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { archiveSeed, smallerArchive } from '../seed/archive.ts';
import { tokenOf } from '../seed/people.ts';
import { type WalkRequest, walkRequests } from './walk-paths.ts';
import { prepareWalk } from './walk-world.ts';
import { stopAll } from './words.ts';

/** Times home. */
const lineOfLists = 4;
const lineOfAccounts = 6;
const home = '/api/v1/timelines/home?limit=20';

interface Walked extends WalkRequest {
  readonly status: number;
  readonly ratio: number;
  readonly microseconds: number;
}

async function run({ size, seeds, samples, profileFolder }: BenchContext): Promise<Figure[]> {
  const data = await seeds.open(archiveSeed(smallerArchive(size.archive)));
  const cores = coresOfPinnedRun();
  const server = await startServer({ dataDirectory: data.dataDirectory, core: cores.measured, profileFolder });
  const [homes, others] = [openHttpLoad(cores.generator), openHttpLoad(cores.generator)];
  try {
    const world = await prepareWalk(server, data.facts);
    const token = tokenOf(world.readerId);
    // A window is too short for the clock that other scenarios read.
    const window = async (load: HttpLoad) => {
      const before = exactCpuMicrosecondsOf(server.processId);
      const { operations } = await load.waves(server.processId, size.walkMilliseconds);
      return (exactCpuMicrosecondsOf(server.processId) - before) / operations;
    };
    const prepare = async (load: HttpLoad, path: string) => {
      const requests = [httpRequest('GET', server.host, path, { token })];
      await load.prepare({ ...server, connections: size.walkConnections, requests });
      for (let before = 0; before < 2; before += 1) await window(load);
    };
    await prepare(homes, home);
    const walked: Walked[] = [];
    for (const request of await walkRequests(server, data.facts, world)) {
      const status = await statusOf(server, request.path, token);
      await prepare(others, request.path);
      const pairs: (readonly [number, number])[] = [];
      for (let pair = 0; pair < size.pairs; pair += 1) pairs.push([await window(others), await window(homes)]);
      const ratio = median(pairs.map(([cost, homeCost]) => cost / homeCost));
      const row = { ...request, status, ratio, microseconds: median(pairs.map(([cost]) => cost)) };
      samples.write({ scenario: 'walk', kind: 'row', ...row });
      walked.push(row);
    }
    return figuresOf(walked);
  } finally {
    await stopAll(homes, others);
    await server.stop();
    data.remove();
  }
}

async function statusOf({ origin }: Server, path: string, token: string): Promise<number> {
  const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  return answer.status;
}

function figuresOf(walked: readonly Walked[]): Figure[] {
  const lineOf = ({ listsAccounts }: WalkRequest) => (listsAccounts ? lineOfAccounts : lineOfLists);
  const above = walked.filter((row) => row.ratio > lineOf(row)).sort((one, other) => other.ratio - one.ratio);
  const refused = walked.filter(({ status }) => status >= 400);
  return [
    {
      what: 'GETs above the line',
      measured: above.length,
      unit: 'endpoints',
      target: { atMost: 0 },
      beside: `of ${walked.length}; ${lineOfLists} times home, ${lineOfAccounts} with 40 accounts`,
    },
    {
      what: 'GETs that refuse the request',
      measured: refused.length,
      unit: 'endpoints',
      beside: refused.map(({ what, status }) => `${what} ${status}`).join(', '),
    },
    ...above.map((row) => ({
      what: `GET ${row.what}`,
      measured: row.ratio,
      unit: 'times the CPU of home',
      target: { atMost: lineOf(row) },
      beside: `CPU ${row.microseconds.toFixed(1)} µs a request`,
    })),
  ];
}

export const walkScenario: Scenario = {
  name: 'walk',
  summary: 'every GET of the API document, in pages of 20 or of 40 accounts, against home timelines of 20',
  run,
};
