/** A community, and accounts with many posts and followers that are about to be removed. */
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Id } from '../../src/runtime/ids.ts';
import type { Seed } from './cache.ts';
import { type CommunityFacts, type CommunitySize, communitySeed, partitions } from './community.ts';
import { inFlight } from './in-flight.ts';
import { openOwners } from './owners.ts';
import { createApplication, createPerson, follow, issueToken, plainStatus, publish, statusText } from './people.ts';

export interface DepartureSize {
  /** Who is removed, one after the other. */
  readonly leavers: number;
  /** Of each of them. */
  readonly statuses: number;
  readonly followers: number;
}

export interface DepartureFacts extends CommunityFacts {
  readonly owner: Id;
  readonly leavers: readonly Id[];
}

/** Of calls to few accounts. */
const atOnce = 256;

export function departureSeed(community: CommunitySize, size: DepartureSize): Seed<DepartureFacts> {
  return {
    name: 'departure',
    parameters: { ...community, ...size, partitions },
    async build(dataDirectory) {
      const facts = await communitySeed(community).build(dataDirectory);
      const owners = await openOwners({ dataDirectory, partitions });
      const owner = await createPerson(owners, 'olga');
      await owners.call(Account.changeLogin.to(owner, { role: 'owner' }), 'system');
      const applicationId = await createApplication(owners);
      await issueToken(owners, applicationId, owner, ['admin:read', 'admin:write']);
      const leavers = await inFlight(size.leavers, (index) => createPerson(owners, `leaver${index}`));
      await inFlight(
        size.leavers * size.followers,
        (index) => follow(owners, facts.people[Math.floor(index / size.leavers)]!, leavers[index % size.leavers]!),
        atOnce,
      );
      await inFlight(
        size.leavers * size.statuses,
        (index) => publish(owners, leavers[index % size.leavers]!, plainStatus(statusText(index))),
        atOnce,
      );
      await owners.close();
      return { ...facts, owner, leavers };
    },
  };
}
