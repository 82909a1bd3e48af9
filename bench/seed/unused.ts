/** A community, and old posts of other servers that nobody in it follows, answers or keeps. */
import { Directory } from '../../src/actors/directory/directory.messages.ts';
import type { Id } from '../../src/runtime/ids.ts';
import { flowOfHost } from '../../src/services/services.ts';
import { receive } from '../../test/support/acts.ts';
import { testProfile } from '../../test/support/profile.ts';
import type { Seed } from './cache.ts';
import { type CommunityFacts, type CommunitySize, communitySeed, partitions } from './community.ts';
import { inFlight } from './in-flight.ts';
import { type Owners, openOwners } from './owners.ts';
import { statusText } from './people.ts';

export interface UnusedSize {
  readonly statuses: number;
  readonly authors: number;
}

const hosts = 50;
const now = Date.UTC(2026, 0, 1);
const year = 365 * 86_400_000;

export function unusedSeed(community: CommunitySize, size: UnusedSize): Seed<CommunityFacts> {
  return {
    name: 'unused',
    parameters: { ...community, ...size, hosts, now, partitions },
    async build(dataDirectory) {
      const facts = await communitySeed(community).build(dataDirectory);
      const owners = await openOwners({ dataDirectory, partitions });
      const authors = await inFlight(size.authors, (index) => learn(owners, index));
      await inFlight(size.statuses, (index) => {
        const { id, host, uri } = authors[index % authors.length]!;
        // Of the two years before, spread evenly.
        const publishedAt = now - 2 * year + Math.floor((index / size.statuses) * year);
        const status = { uri: `${uri}/statuses/${index}`, publishedAt, threadId: undefined, text: statusText(index) };
        return owners.call(receive({ id, name: 'author', destination: undefined }, status, now), flowOfHost(host));
      });
      await owners.close();
      return facts;
    },
  };
}

async function learn(owners: Owners, index: number): Promise<{ id: Id; host: string; uri: string }> {
  const host = `server${index % hosts}.example`;
  const uri = `https://${host}/users/author${index}`;
  const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
  const profile = testProfile({ username: `author${index}`, domain: host, remote });
  const { accountId: id } = await owners.call(Directory.learn.to(uri, { profile }), flowOfHost(host));
  return { id, host, uri };
}
