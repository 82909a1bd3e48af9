/**
 * What the whole machine gets done in a second: server and generator together on it, nothing pinned, every connection
 * sends its next request as soon as it has its answer. These figures stand beside those of other servers that were
 * measured so (bench/README.md). A generator that is busy all the time is the limit of what is seen, not the server.
 */
import { openFleet } from '../fleet/fleet.ts';
import { httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { costOf, type Window, warmUp } from '../measure/pairs.ts';
import { median } from '../measure/statistics.ts';
import { startServer } from '../processes/server.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { type CommunityFacts, communitySeed } from '../seed/community.ts';
import { correspondenceSeed, firstDeliveries } from '../seed/correspondence.ts';
import { tokenOf } from '../seed/people.ts';
import { postRequests } from '../seed/posts.ts';
import { receiveCreates } from './inbound-window.ts';
import { percent, stopAll } from './words.ts';

const name = 'throughput';
const windowsPerFigure = 3;
/** Of inbound Creates, before those that count. */
const inboundWarmUps = 3;
const limitShare = 0.9;

interface Work {
  readonly what: string;
  /** What the fastest of the other servers does in a second. */
  readonly perSecondAtLeast: number;
  readonly others: string;
}

interface RequestedWork extends Work {
  requests(facts: CommunityFacts, host: string): readonly string[];
}

const requested: readonly RequestedWork[] = [
  {
    what: 'GET of verify_credentials',
    perSecondAtLeast: 22_200,
    others: 'GoToSocial 22 200, Hollo 994',
    requests: (facts, host) => readersGet(facts, host, '/api/v1/accounts/verify_credentials'),
  },
  {
    what: 'GET of a home timeline of 20',
    perSecondAtLeast: 7_960,
    others: 'GoToSocial 7 960 at 90 µs, Hollo 52',
    requests: (facts, host) => readersGet(facts, host, '/api/v1/timelines/home?limit=20'),
  },
  {
    what: 'POST of a status with one mention and one tag',
    perSecondAtLeast: 233,
    others: 'GoToSocial 233, Hollo 46',
    requests: postRequests,
  },
];

const inbound: Work = {
  what: 'inbound Creates, until readable',
  perSecondAtLeast: 426,
  others: 'GoToSocial 426, Hollo 13',
};

export const throughputScenario: Scenario = {
  name,
  summary: 'operations a second on the whole machine, nothing pinned, beside other servers',
  run: async (context) => [...(await requestedFigures(context)), await inboundFigure(context)],
};

async function requestedFigures({ size, seeds, samples, profileFolder }: BenchContext): Promise<Figure[]> {
  const data = await seeds.open(communitySeed(size.community));
  const server = await startServer({ dataDirectory: data.dataDirectory, profileFolder });
  const load = openHttpLoad();
  try {
    const figures: Figure[] = [];
    for (const work of requested) {
      await load.prepare({
        ...server,
        connections: size.connections,
        requests: work.requests(data.facts, server.host),
      });
      await warmUp(() => load.loop(server.processId, size.warmUpMilliseconds));
      server.toggleProfile();
      const windows: Window[] = [];
      for (let count = 0; count < windowsPerFigure; count += 1)
        windows.push(await load.loop(server.processId, size.windowMilliseconds));
      server.toggleProfile();
      for (const window of windows) samples.write({ scenario: name, kind: 'window', what: work.what, ...window });
      figures.push(figureOf(work, windows));
    }
    return figures;
  } finally {
    await stopAll(load, server);
    data.remove();
  }
}

async function inboundFigure({ size, seeds, samples, profileFolder }: BenchContext): Promise<Figure> {
  const data = await seeds.open(correspondenceSeed(size.correspondence));
  const fleet = await openFleet(size.correspondence.servers, size.correspondence.port);
  const server = await startServer({ dataDirectory: data.dataDirectory, profileFolder });
  const load = openHttpLoad();
  try {
    await fleet.quiet(firstDeliveries(size.correspondence), size.quietMilliseconds);
    const receiving = { size, server, load, facts: data.facts };
    for (let number = 0; number < inboundWarmUps; number += 1) await receiveCreates(receiving, number);
    server.toggleProfile();
    const windows: Window[] = [];
    for (let count = 0; count < windowsPerFigure; count += 1)
      windows.push(await receiveCreates(receiving, inboundWarmUps + count));
    server.toggleProfile();
    for (const window of windows) samples.write({ scenario: name, kind: 'window', what: inbound.what, ...window });
    return figureOf(inbound, windows);
  } finally {
    await stopAll(load, server, fleet);
    data.remove();
  }
}

function readersGet({ readers }: CommunityFacts, host: string, path: string): string[] {
  return readers.map((reader) => httpRequest('GET', host, path, { token: tokenOf(reader) }));
}

function figureOf({ what, perSecondAtLeast, others }: Work, windows: readonly Window[]): Figure {
  const failures = windows.reduce((sum, window) => sum + window.failures, 0);
  if (failures > 0) throw new Error(`${what}: ${failures} failed`);
  const perSecond = windows.map(({ operations, wallMilliseconds }) => (operations * 1_000) / wallMilliseconds);
  const serverShare = median(windows.map((window) => window.cpuMicroseconds / 1_000 / window.wallMilliseconds));
  const generatorShare = median(windows.map(({ busyShare }) => busyShare ?? 0));
  const limit = generatorShare < limitShare ? '' : ', which is the limit';
  return {
    what: `${what}, on the whole machine`,
    measured: median(perSecond),
    unit: 'a second',
    lowest: Math.min(...perSecond),
    highest: Math.max(...perSecond),
    target: { atLeast: perSecondAtLeast },
    beside: `CPU ${median(windows.map(costOf)).toFixed(0)} µs each; of one core the server took ${percent(serverShare)}, the generator ${percent(generatorShare)}${limit}; elsewhere ${others}`,
  };
}
