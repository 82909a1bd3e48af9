/** What the lists of a server cost, each against home timelines of 20 of the same server in the same run. */
import type { Id } from '../../src/runtime/ids.ts';
import { type HttpLoad, httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { runPairs, warmUp } from '../measure/pairs.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { BenchContext, Figure } from '../scenario.ts';
import type { Seed } from '../seed/cache.ts';
import { tokenOf } from '../seed/people.ts';
import type { Size } from '../sizes.ts';
import { percent, stopAll } from './words.ts';

const ratioAtMost = 1.3;
const statusesPerPage = 20;
/** Pages of a home that its feed ring holds. */
const pagesPerHome = 18;

interface Readers {
  readonly readers: readonly Id[];
}

/** What is asked for: each reader in turn asks for the next. */
export type Paths<Facts> = (facts: Facts, server: Server) => readonly string[] | Promise<readonly string[]>;

const newestHome = `/api/v1/timelines/home?limit=${statusesPerPage}`;

/** Each reader's newest page: they show two hundred different statuses among them. */
export const newestHomes: Paths<Readers> = () => [newestHome];

/** Pages at different depths: they show some 2 500 different statuses among them. */
export const distinctHomes: Paths<Readers> = async ({ readers }, server) => {
  const paths: string[] = [];
  for (const [index, reader] of readers.entries()) paths.push(await pageOfHome(server, reader, index % pagesPerHome));
  return paths;
};

async function pageOfHome(server: Server, reader: Id, number: number): Promise<string> {
  let path = newestHome;
  for (let before = 0; before < number; before += 1) {
    const headers = { authorization: `Bearer ${tokenOf(reader)}` };
    const page = (await (await fetch(server.origin + path, { headers })).json()) as { id: string }[];
    if (page.length < statusesPerPage) return newestHome;
    path = `${newestHome}&max_id=${page.at(-1)!.id}`;
  }
  return path;
}

export interface ListRow<Facts> {
  readonly what: string;
  /** Of different pages. */
  readonly paths: Paths<Facts>;
  /** Homes that show about as many different statuses: more of them cost more, because they lie further apart in memory. */
  readonly homes: Paths<Facts>;
}

export async function againstHome<Facts extends Readers>(
  scenario: string,
  { size, seeds, samples, profileFolder }: BenchContext,
  seed: Seed<Facts>,
  rows: readonly ListRow<Facts>[],
): Promise<Figure[]> {
  const data = await seeds.open(seed);
  const core = coresOfPinnedRun().measured;
  const server = await startServer({ dataDirectory: data.dataDirectory, core, profileFolder });
  try {
    const { facts } = data;
    const prepare = async (paths: Paths<Facts>) => {
      const different = await paths(facts, server);
      const requests = facts.readers.map((reader, index) =>
        httpRequest('GET', server.host, different[index % different.length]!, { token: tokenOf(reader) }),
      );
      return prepared(server, size, requests);
    };
    const homeLoads = new Map<Paths<Facts>, HttpLoad>();
    const figures: Figure[] = [];
    for (const { what, paths, homes } of rows) {
      const home = homeLoads.get(homes) ?? (await prepare(homes));
      homeLoads.set(homes, home);
      const list = await prepare(paths);
      const windowOf = (load: HttpLoad) => () => load.waves(server.processId, size.windowMilliseconds);
      server.toggleProfile();
      const runs = await runPairs(size.pairs, windowOf(home), windowOf(list));
      server.toggleProfile();
      for (const pair of runs.pairs) samples.write({ scenario, kind: 'pair', what, ...pair });
      await stopAll(list);
      figures.push({
        what: `GET of ${what}`,
        measured: runs.ratio,
        unit: 'times the CPU of home',
        lowest: runs.lowest,
        highest: runs.highest,
        target: { atMost: ratioAtMost },
        beside: `CPU ${runs.referenceMicroseconds.toFixed(1)} µs a request, home ${runs.serverMicroseconds.toFixed(1)} µs; generator busy ${percent(runs.busyShare)}`,
      });
    }
    await stopAll(...homeLoads.values());
    return figures;
  } finally {
    await server.stop();
    data.remove();
  }
}

async function prepared(server: Server, size: Size, requests: readonly string[]): Promise<HttpLoad> {
  const load = openHttpLoad(coresOfPinnedRun().generator);
  await load.prepare({ ...server, connections: size.connections, requests });
  await warmUp(() => load.waves(server.processId, size.warmUpMilliseconds));
  return load;
}
