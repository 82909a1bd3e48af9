/**
 * What lists cost on a server with a hundred times as many statuses: two servers with the same people, in turn on the same
 * core. What is read of a page does not depend on what lies before it.
 */
import { type HttpLoad, httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { runPairs, warmUp } from '../measure/pairs.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { type ArchiveFacts, archiveSeed } from '../seed/archive.ts';
import { tagsMax, tokenOf } from '../seed/people.ts';
import type { Size } from '../sizes.ts';
import { percent, stopAll } from './words.ts';

const growthAtMost = 1.5;
const relationshipsAsked = 40;

type PathOf = (facts: ArchiveFacts, reader: number) => string;

const lists: readonly [what: string, path: PathOf][] = [
  ['home', () => '/api/v1/timelines/home?limit=20'],
  ['a list', ({ lists: ids }, reader) => `/api/v1/timelines/list/${ids[reader]}?limit=20`],
  ['the public timeline', () => '/api/v1/timelines/public?limit=20'],
  ['the timeline of a tag', (_facts, reader) => `/api/v1/timelines/tag/bench${reader % tagsMax}?limit=20`],
  ['the statuses of an account', ({ authors }, reader) => `/api/v1/accounts/${authors[reader]}/statuses?limit=20`],
  ['notifications', () => '/api/v1/notifications?limit=20'],
  ['grouped notifications', () => '/api/v2/notifications?limit=20'],
  ['conversations', () => '/api/v1/conversations?limit=20'],
  ['relationships of 40 accounts', ({ authors }) => `/api/v1/accounts/relationships?${idsOf(authors)}`],
  ['a thread of 1,000 answers', ({ threadId }) => `/api/v1/statuses/${threadId}/context`],
];

function idsOf(authors: readonly bigint[]): string {
  return authors
    .slice(0, relationshipsAsked)
    .map((id) => `id[]=${id}`)
    .join('&');
}

interface Grown {
  readonly server: Server;
  readonly facts: ArchiveFacts;
  remove(): void;
}

export const growthScenario: Scenario = {
  name: 'growth',
  summary: 'GET of lists on a server with many statuses, against one with a hundredth of them',
  async run({ size, seeds, samples, profileFolder }) {
    const { archive } = size;
    const open = async (statuses: number): Promise<Grown> => {
      const data = await seeds.open(archiveSeed({ ...archive, statuses }));
      const core = coresOfPinnedRun().measured;
      const server = await startServer({ dataDirectory: data.dataDirectory, core, profileFolder });
      return { server, facts: data.facts, remove: data.remove };
    };
    const large = await open(archive.statuses);
    const small = await open(Math.ceil(archive.statuses / 100));
    try {
      const figures: Figure[] = [];
      for (const [what, path] of lists) {
        const [onSmall, onLarge] = [await prepared(small, size, path), await prepared(large, size, path)];
        large.server.toggleProfile();
        const runs = await runPairs(size.pairs, windowOf(small, onSmall, size), windowOf(large, onLarge, size));
        large.server.toggleProfile();
        for (const pair of runs.pairs) samples.write({ scenario: 'growth', kind: 'pair', what, ...pair });
        await stopAll(onSmall, onLarge);
        figures.push({
          what: `GET of ${what}, ${archive.statuses.toLocaleString('en')} statuses`,
          measured: runs.ratio,
          unit: 'times the CPU with a hundredth of them',
          lowest: runs.lowest,
          highest: runs.highest,
          target: { atMost: growthAtMost },
          beside: `CPU ${runs.referenceMicroseconds.toFixed(1)} µs a request, small ${runs.serverMicroseconds.toFixed(1)} µs; generator busy ${percent(runs.busyShare)}`,
        });
      }
      return figures;
    } finally {
      await Promise.all([small.server.stop(), large.server.stop()]);
      small.remove();
      large.remove();
    }
  },
};

function windowOf({ server }: Grown, load: HttpLoad, { windowMilliseconds }: Size) {
  return () => load.waves(server.processId, windowMilliseconds);
}

async function prepared({ server, facts }: Grown, size: Size, path: PathOf): Promise<HttpLoad> {
  const load = openHttpLoad(coresOfPinnedRun().generator);
  const requests = facts.readers.map((reader, index) =>
    httpRequest('GET', server.host, path(facts, index), { token: tokenOf(reader) }),
  );
  await load.prepare({ ...server, connections: size.connections, requests });
  await warmUp(() => load.waves(server.processId, size.warmUpMilliseconds));
  return load;
}
