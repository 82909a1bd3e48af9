/**
 * GET of the newest notifications and conversations right after something new came: one of the readers has written to
 * each of the others, another one each time, because whoever writes is another version of an account on every page that
 * shows it. Each reader asks once. Beside it the home timeline after as many posts and one by somebody whom everybody
 * follows, so that one of its statuses is new as well.
 *
 * Only the requests are measured, not the posts before them. They are few and the posts have filled the processor's caches
 * with other things, so that everything costs more than in `own-lists`.
 */
import { type HttpLoad, httpRequest, openHttpLoad } from '../generators/http-load.ts';
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
const writesAtOnce = 8;

/** Readers whom all others follow: they post in turn. */
const friendsOfAll = 10;

interface Readers {
  /** Everybody follows some of them. */
  befriend(): Promise<void>;
  /**
   * One of them, the next each time, writes to everybody, and one whom everybody follows posts, if wanted; settles when all
   * that follows is done.
   */
  write(andPost: boolean): Promise<void>;
  /** Everybody asks once: CPU of the server for each request. */
  costOf(path: string): Promise<number>;
  stop(): Promise<void>;
}

function openReaders(server: Server, { authors, readers }: ArchiveFacts, { size }: BenchContext): Readers {
  const core = coresOfPinnedRun().generator;
  const friends = readers.slice(0, friendsOfAll);
  const prepare = (load: HttpLoad, connections: number, requestOf: (index: number) => string, count = readers.length) =>
    load.prepare({ ...server, connections, requests: Array.from({ length: count }, (_, index) => requestOf(index)) });
  const once = async (load: HttpLoad) => {
    const before = exactCpuMicrosecondsOf(server.processId);
    const { operations, failures } = await load.once();
    if (failures > 0) throw new Error(`${failures} requests failed`);
    return (exactCpuMicrosecondsOf(server.processId) - before) / operations;
  };
  const [writer, asking] = [openHttpLoad(core), openHttpLoad(core)];
  const connections = Math.min(writesAtOnce, size.connections);
  let written = 0;
  return {
    async befriend() {
      for (const friend of friends) {
        const others = readers.filter((reader) => reader !== friend);
        const path = `/api/v1/accounts/${friend}/follow`;
        const followBy = (index: number) => httpRequest('POST', server.host, path, { token: tokenOf(others[index]!) });
        await prepare(writer, connections, followBy, others.length);
        await once(writer);
      }
    },
    async write(andPost) {
      const token = tokenOf(readers[written % readers.length]!);
      written += 1;
      await prepare(writer, connections, (index) => {
        const json = { status: `@${nameOfPerson(authors.length + index)} how are you today?`, visibility: 'direct' };
        return httpRequest('POST', server.host, '/api/v1/statuses', { token, json });
      });
      await once(writer);
      if (andPost) {
        const friend = tokenOf(friends[written % friends.length]!);
        const json = { status: 'How are you all today?', visibility: 'public' };
        await prepare(
          writer,
          1,
          () => httpRequest('POST', server.host, '/api/v1/statuses', { token: friend, json }),
          1,
        );
        await once(writer);
      }
      await new Promise((resolve) => setTimeout(resolve, size.quietMilliseconds));
    },
    async costOf(path) {
      await prepare(asking, size.connections, (index) =>
        httpRequest('GET', server.host, path, { token: tokenOf(readers[index]!) }),
      );
      return once(asking);
    },
    stop: () => stopAll(writer, asking),
  };
}

export const changedListsScenario: Scenario = {
  name: 'changed-lists',
  summary:
    'GET of notifications and conversations right after one of them came, against home timelines with a new status',
  async run(context) {
    const { size, seeds, samples, profileFolder } = context;
    const data = await seeds.open(archiveSeed(smallerArchive(size.archive)));
    const server = await startServer({
      ...{ dataDirectory: data.dataDirectory, core: coresOfPinnedRun().measured, profileFolder },
    });
    try {
      const readers = openReaders(server, data.facts, context);
      await readers.befriend();
      const figures: Figure[] = [];
      for (const { what, path } of lists) {
        const pairs: { list: number; home: number }[] = [];
        for (let round = 0; round < warmUpRounds + size.pairs * roundsPerPair; round += 1) {
          await readers.write(false);
          const list = await readers.costOf(path);
          await readers.write(true);
          const pair = { list, home: await readers.costOf(home) };
          if (round < warmUpRounds) continue;
          pairs.push(pair);
          samples.write({ scenario: 'changed-lists', kind: 'pair', what, ...pair });
        }
        const ratios = pairs.map((pair) => pair.list / pair.home);
        figures.push({
          what: `GET of ${what}`,
          measured: median(ratios),
          unit: 'times the CPU of home',
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
