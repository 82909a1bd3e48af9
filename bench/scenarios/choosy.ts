/**
 * GET of a home of 20 by somebody who blocks 200 accounts, has 20 filters of 5 words each and follows 30 tags, against
 * the same home without any of it, on the same server.
 */
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Id } from '../../src/runtime/ids.ts';
import { flowOfAccount } from '../../src/services/services.ts';
import { type HttpLoad, httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { runPairs, warmUp } from '../measure/pairs.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { startServer } from '../processes/server.ts';
import type { Scenario } from '../scenario.ts';
import type { Seed } from '../seed/cache.ts';
import { type CommunityFacts, type CommunitySize, communitySeed, partitions } from '../seed/community.ts';
import { inFlight } from '../seed/in-flight.ts';
import { type Owners, openOwners } from '../seed/owners.ts';
import { tokenOf } from '../seed/people.ts';
import { percent, stopAll } from './words.ts';

const ratioAtMost = 1.5;
const blocksPerReader = 200;
const filtersPerReader = 20;
const wordsPerFilter = 5;
const tagsPerReader = 30;

/** Every second reader of a community is choosy. None of the tags and words stands in a status. */
function choosySeed(size: CommunitySize): Seed<CommunityFacts> {
  const community = communitySeed(size);
  return {
    name: 'choosy',
    parameters: { ...community.parameters, blocksPerReader, filtersPerReader, wordsPerFilter, tagsPerReader },
    async build(dataDirectory) {
      const facts = await community.build(dataDirectory);
      const owners = await openOwners({ dataDirectory, partitions });
      const { choosy } = readersOf(facts);
      await inFlight(choosy.length, (index) => choose(owners, choosy[index]!, facts.crowd));
      await owners.close();
      return facts;
    },
  };
}

function readersOf({ readers }: CommunityFacts): { choosy: readonly Id[]; plain: readonly Id[] } {
  return {
    choosy: readers.filter((_, index) => index % 2 === 0),
    plain: readers.filter((_, index) => index % 2 === 1),
  };
}

async function choose(owners: Owners, reader: Id, crowd: readonly Id[]): Promise<void> {
  const flow = flowOfAccount(reader);
  const blocked = crowd.filter((id) => id !== reader).slice(0, blocksPerReader);
  for (const targetId of blocked) await owners.call(Account.block.to(reader, { targetId }), flow);
  for (let filter = 0; filter < filtersPerReader; filter += 1) {
    const changes = { title: `Filter ${filter}`, contexts: ['home' as const], action: 'warn' as const };
    const keywords = Array.from({ length: wordsPerFilter }, (_, word) => ({
      keyword: `unwanted${filter}x${word}`,
      wholeWord: true,
    }));
    await owners.call(Account.changeFilter.to(reader, { changes, keywords }), flow);
  }
  for (let tag = 0; tag < tagsPerReader; tag += 1)
    await owners.call(Account.followTag.to(reader, { name: `wanted${tag}` }), flow);
}

export const choosyScenario: Scenario = {
  name: 'choosy',
  summary: 'GET of homes of 20 with 200 blocks, 20 filters of 5 words and 30 followed tags, against homes without',
  async run({ size, seeds, samples, profileFolder }) {
    const data = await seeds.open(choosySeed(size.community));
    const core = coresOfPinnedRun().measured;
    const server = await startServer({ dataDirectory: data.dataDirectory, core, profileFolder });
    try {
      const { choosy, plain } = readersOf(data.facts);
      const prepare = async (readers: readonly Id[]): Promise<HttpLoad> => {
        const load = openHttpLoad(coresOfPinnedRun().generator);
        const requests = readers.map((reader) =>
          httpRequest('GET', server.host, '/api/v1/timelines/home?limit=20', { token: tokenOf(reader) }),
        );
        await load.prepare({ ...server, connections: size.connections, requests });
        await warmUp(() => load.waves(server.processId, size.warmUpMilliseconds));
        return load;
      };
      const [onPlain, onChoosy] = [await prepare(plain), await prepare(choosy)];
      const windowOf = (load: HttpLoad) => () => load.waves(server.processId, size.windowMilliseconds);
      server.toggleProfile();
      const runs = await runPairs(size.pairs, windowOf(onPlain), windowOf(onChoosy));
      server.toggleProfile();
      for (const pair of runs.pairs) samples.write({ scenario: 'choosy', kind: 'pair', ...pair });
      await stopAll(onPlain, onChoosy);
      return [
        {
          what: 'GET of a home of 20 with blocks, filters and followed tags',
          measured: runs.ratio,
          unit: 'times the CPU of one without',
          lowest: runs.lowest,
          highest: runs.highest,
          target: { atMost: ratioAtMost },
          beside: `CPU ${runs.referenceMicroseconds.toFixed(1)} µs a request, without ${runs.serverMicroseconds.toFixed(1)} µs; generator busy ${percent(runs.busyShare)}`,
        },
      ];
    } finally {
      await server.stop();
      data.remove();
    }
  },
};
