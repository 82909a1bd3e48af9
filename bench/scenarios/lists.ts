/**
 * GET of the other lists of 20 statuses, each against a home timeline of 20 of the same server in the same run: what is
 * shown elsewhere costs what it costs at home, but for finding out what stands in the list.
 */
import { type HttpLoad, httpRequest, openHttpLoad } from '../load/http-load.ts';
import { runPairs, warmUp } from '../measure/pairs.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { type CommunityFacts, communitySeed } from '../seed/community.ts';
import { tagsMax, tokenOf } from '../seed/people.ts';
import type { Size } from '../sizes.ts';
import { percent, stopAll } from './words.ts';

const ratioAtMost = 1.3;
/**
 * As many different statuses as the homes of the readers show among them, about a hundred: more of them lie further apart
 * in memory, which costs a third and more and says nothing about the lists (see README).
 */
const differentPages = 5;

/** Paths of different pages of each list, with the words for its figure. */
const lists: readonly (readonly [string, (facts: CommunityFacts) => readonly string[]])[] = [
  ['the public timeline', () => ['/api/v1/timelines/public?limit=20']],
  [
    'the timeline of a tag',
    () => Array.from({ length: tagsMax }, (_, tag) => `/api/v1/timelines/tag/bench${tag}?limit=20`),
  ],
  ['the statuses of an account', ({ authors }) => authors.map((id) => `/api/v1/accounts/${id}/statuses?limit=20`)],
  ['a thread', ({ threads }) => threads.map((id) => `/api/v1/statuses/${id}/context`)],
];

export const listsScenario: Scenario = {
  name: 'lists',
  summary: 'GET of public, tag, account and thread pages of 20 statuses, against home timelines of 20',
  async run({ size, seeds, samples, profileFolder }) {
    const data = await seeds.open(communitySeed(size.community));
    const server = await startServer({
      dataDirectory: data.dataDirectory,
      core: coresOfPinnedRun().measured,
      profileFolder,
    });
    try {
      const { facts } = data;
      const requestsOf = (paths: readonly string[]) =>
        Array.from({ length: Math.max(paths.length, facts.readers.length) }, (_, index) =>
          httpRequest('GET', server.host, paths[index % paths.length]!, {
            token: tokenOf(facts.readers[index % facts.readers.length]!),
          }),
        );
      const home = await prepared(server, size, requestsOf(['/api/v1/timelines/home?limit=20']));
      const figures: Figure[] = [];
      for (const [what, pathsOf] of lists) {
        const list = await prepared(server, size, requestsOf(pathsOf(facts).slice(0, differentPages)));
        const windowOf = (load: HttpLoad) => () => load.waves(server.processId, size.windowMilliseconds);
        server.toggleProfile();
        const runs = await runPairs(size.pairs, windowOf(home), windowOf(list));
        server.toggleProfile();
        for (const pair of runs.pairs) samples.write({ scenario: 'lists', kind: 'pair', what, ...pair });
        await stopAll(list);
        figures.push({
          what: `GET of ${what}, 20 statuses`,
          measured: runs.ratio,
          unit: 'times the CPU of home',
          lowest: runs.lowest,
          highest: runs.highest,
          target: { atMost: ratioAtMost },
          beside: `CPU ${runs.referenceMicroseconds.toFixed(1)} µs a request, home ${runs.serverMicroseconds.toFixed(1)} µs; generator busy ${percent(runs.busyShare)}`,
        });
      }
      await stopAll(home);
      return figures;
    } finally {
      await server.stop();
      data.remove();
    }
  },
};

async function prepared(server: Server, size: Size, requests: readonly string[]): Promise<HttpLoad> {
  const load = openHttpLoad(coresOfPinnedRun().generator);
  await load.prepare({ ...server, connections: size.connections, requests });
  await warmUp(() => load.waves(server.processId, size.warmUpMilliseconds));
  return load;
}
