/**
 * GET of the newest notifications and conversations right after something new came: each reader was written to by
 * another one, and asks once. Beside it the home timeline after the same change, which has the new status on it too.
 *
 * Only the requests are measured, not the posts before them. They are few and the posts have filled the processor's caches
 * with other things, so that everything costs more than in `own-lists`.
 */
import { httpRequest, openHttpLoad } from '../load/http-load.ts';
import { exactCpuMicrosecondsOf } from '../measure/process-cpu.ts';
import { median } from '../measure/statistics.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { type ArchiveFacts, archiveSeed, smallerArchive } from '../seed/archive.ts';
import { nameOfPerson } from '../seed/community.ts';
import { tokenOf } from '../seed/people.ts';
import { stopAll } from './words.ts';

const ratioAtMost = 1.3;
const home = '/api/v1/timelines/home?limit=20';
const lists = [
  { what: 'notifications, one of 20 new', path: '/api/v1/notifications?limit=20' },
  { what: 'grouped notifications, one of 20 new', path: '/api/v2/notifications?limit=20' },
  { what: 'conversations, one of 20 new', path: '/api/v1/conversations?limit=20' },
];
/** Measured pairs per pair of other scenarios: a round is short. Those before are not counted. */
const roundsPerPair = 3;
const warmUpRounds = 3;
/** Few enough that none is refused, however busy the machine is. */
const writersAtOnce = 8;

interface Readers {
  /** Everybody is written to by the next one; settles when all that follows is done. */
  write(): Promise<void>;
  /** Everybody asks once: CPU of the server for each request. */
  costOf(path: string): Promise<number>;
  stop(): Promise<void>;
}

async function openReaders(
  server: Server,
  { authors, readers }: ArchiveFacts,
  { size }: BenchContext,
): Promise<Readers> {
  const core = coresOfPinnedRun().generator;
  const open = async (connections: number, requestOf: (index: number) => string) => {
    const load = openHttpLoad(core);
    await load.prepare({ ...server, connections, requests: readers.map((_, index) => requestOf(index)) });
    return load;
  };
  const once = async (load: Awaited<ReturnType<typeof open>>) => {
    const before = exactCpuMicrosecondsOf(server.processId);
    const { operations, failures } = await load.once();
    if (failures > 0) throw new Error(`${failures} requests failed`);
    return (exactCpuMicrosecondsOf(server.processId) - before) / operations;
  };
  const writers = await open(Math.min(writersAtOnce, size.connections), (index) => {
    const status = `@${nameOfPerson(authors.length + ((index + 1) % readers.length))} how are you today?`;
    const json = { status, visibility: 'direct' };
    return httpRequest('POST', server.host, '/api/v1/statuses', { token: tokenOf(readers[index]!), json });
  });
  const loads = new Map<string, typeof writers>();
  const loadOf = async (path: string) => {
    const known = loads.get(path);
    if (known !== undefined) return known;
    const requestOf = (index: number) => httpRequest('GET', server.host, path, { token: tokenOf(readers[index]!) });
    const load = await open(size.connections, requestOf);
    loads.set(path, load);
    return load;
  };
  return {
    async write() {
      await once(writers);
      await new Promise((resolve) => setTimeout(resolve, size.quietMilliseconds));
    },
    costOf: async (path) => once(await loadOf(path)),
    stop: () => stopAll(writers, ...loads.values()),
  };
}

export const changedListsScenario: Scenario = {
  name: 'changed-lists',
  summary: 'GET of notifications and conversations right after one of them came, against home timelines after the same',
  async run(context) {
    const { size, seeds, samples, profileFolder } = context;
    const data = await seeds.open(archiveSeed(smallerArchive(size.archive)));
    const server = await startServer({
      ...{ dataDirectory: data.dataDirectory, core: coresOfPinnedRun().measured, profileFolder },
    });
    try {
      const readers = await openReaders(server, data.facts, context);
      const figures: Figure[] = [];
      for (const { what, path } of lists) {
        const pairs: { list: number; home: number }[] = [];
        for (let round = 0; round < warmUpRounds + size.pairs * roundsPerPair; round += 1) {
          await readers.write();
          const list = await readers.costOf(path);
          await readers.write();
          const pair = { list, home: await readers.costOf(home) };
          if (round < warmUpRounds) continue;
          pairs.push(pair);
          samples.write({ scenario: 'changed-lists', kind: 'pair', what, ...pair });
        }
        const ratios = pairs.map((pair) => pair.list / pair.home);
        figures.push({
          what: `GET of ${what}`,
          measured: median(ratios),
          unit: 'times the CPU of home after the same',
          lowest: Math.min(...ratios),
          highest: Math.max(...ratios),
          target: { atMost: ratioAtMost },
          beside: `CPU ${median(pairs.map(({ list }) => list)).toFixed(0)} µs a request, home ${median(pairs.map((pair) => pair.home)).toFixed(0)} µs`,
        });
      }
      await readers.stop();
      return figures;
    } finally {
      await server.stop();
      data.remove();
    }
  },
};
