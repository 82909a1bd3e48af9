/**
 * Two versions of the server in turn, on the same core and over the same fresh state: what a request costs this one, times what
 * it costs the other. Absolute figures of different hours cannot be compared; these ratios can.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpLoad, httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { exactCpuMicrosecondsOf } from '../measure/process-cpu.ts';
import type { Samples } from '../measure/samples.ts';
import { median } from '../measure/statistics.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure } from '../scenario.ts';
import type { Size } from '../sizes.ts';
import { type FreshState, makeFreshState } from './fresh-state.ts';

interface Compared {
  readonly what: string;
  readonly atMost: number;
  requests(server: Server, state: FreshState): string[];
}

const posts = 60;
const text = 'A post of the bench that is as long as many are, with a tag at its end, and nothing else in it. #bench';

function acts(server: Server, { token, statusIds }: FreshState, act: string): string[] {
  return statusIds.map((id) => httpRequest('POST', server.host, `/api/v1/statuses/${id}/${act}`, { token }));
}

const get = (path: (state: FreshState) => string) => (server: Server, state: FreshState) => [
  httpRequest('GET', server.host, path(state), { token: state.token }),
];

const compared: readonly Compared[] = [
  { what: 'GET of home, 20 statuses', atMost: 1.15, requests: get(() => '/api/v1/timelines/home?limit=20') },
  { what: 'GET of one status', atMost: 1.15, requests: get(({ statusIds }) => `/api/v1/statuses/${statusIds.at(-1)}`) },
  {
    what: 'GET of the thread of one status',
    atMost: 1.15,
    requests: get(({ statusIds }) => `/api/v1/statuses/${statusIds.at(-1)}/context`),
  },
  { what: 'GET of the instance', atMost: 1.15, requests: get(() => '/api/v2/instance') },
  {
    what: 'POST',
    atMost: 1.15,
    requests: ({ host }, { token }) => [
      httpRequest('POST', host, '/api/v1/statuses', { token, json: { status: text } }),
    ],
  },
  {
    what: 'favourite and its undoing',
    atMost: 1.25,
    requests: (server, state) => [...acts(server, state, 'favourite'), ...acts(server, state, 'unfavourite')],
  },
];

export interface Comparison {
  /** Of the other version, with its dependencies. */
  readonly folder: string;
  /** What the other version is called. */
  readonly name: string;
  readonly size: Size;
  readonly samples: Pick<Samples, 'write'>;
}

/** Throws where a version refuses a request. */
export async function compareVersions({ folder, name, size, samples }: Comparison): Promise<Figure[]> {
  const [ours, theirs] = [await openVersion(undefined), await openVersion(folder)];
  try {
    const figures: Figure[] = [];
    for (const { what, atMost, requests } of compared) {
      for (const version of [ours, theirs]) await version.prepare(requests, size);
      const pairs: { readonly ours: number; readonly theirs: number }[] = [];
      for (let pair = 0; pair < size.pairs; pair += 1) {
        const theirsFirst = pair % 2 === 1 ? await theirs.cost(size) : undefined;
        const cost = await ours.cost(size);
        pairs.push({ ours: cost, theirs: theirsFirst ?? (await theirs.cost(size)) });
      }
      for (const pair of pairs) samples.write({ scenario: 'compare', kind: 'pair', what, name, ...pair });
      const ratios = pairs.map((pair) => pair.ours / pair.theirs);
      const [cost, before] = [median(pairs.map((pair) => pair.ours)), median(pairs.map((pair) => pair.theirs))];
      figures.push({
        what,
        measured: median(ratios),
        unit: `times the CPU of ${name}`,
        lowest: Math.min(...ratios),
        highest: Math.max(...ratios),
        target: { atMost },
        beside: `CPU ${cost.toFixed(1)} µs a request, ${before.toFixed(1)} µs`,
      });
    }
    return figures;
  } finally {
    await ours.stop();
    await theirs.stop();
  }
}

interface Version {
  prepare(requests: Compared['requests'], size: Size): Promise<void>;
  /** CPU microseconds of a request. */
  cost(size: Size): Promise<number>;
  stop(): Promise<void>;
}

async function openVersion(projectFolder: string | undefined): Promise<Version> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'murmuration-compare-'));
  const { measured: core, generator } = coresOfPinnedRun();
  const server = await startServer({
    dataDirectory: join(dataDirectory, 'data'),
    core,
    ...(projectFolder === undefined ? {} : { projectFolder }),
  });
  const load: HttpLoad = openHttpLoad(generator);
  const state = await makeFreshState(server, posts);
  const cost = async ({ windowMilliseconds }: Size) => {
    const before = exactCpuMicrosecondsOf(server.processId);
    const { operations, failures } = await load.waves(server.processId, windowMilliseconds);
    if (failures > 0) throw new Error(`${failures} requests failed`);
    return (exactCpuMicrosecondsOf(server.processId) - before) / operations;
  };
  return {
    async prepare(requests, size) {
      await load.prepare({ ...server, connections: size.walkConnections, requests: requests(server, state) });
      for (let before = 0; before < 2; before += 1) await cost(size);
    },
    cost,
    async stop() {
      await load.stop();
      await server.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
