/** One account with very many local followers, who each follow nobody else: the widest fan-out there is. */
import type { Id } from '../../src/runtime/ids.ts';
import type { Seed } from './cache.ts';
import { partitions } from './community.ts';
import { inFlight } from './in-flight.ts';
import { openOwners } from './owners.ts';
import { createPerson, follow, plainStatus, publish, statusText } from './people.ts';

export interface StarFacts {
  readonly star: Id;
  readonly followers: readonly Id[];
}

/** Statuses that the star has written before: what a warm feed already holds. */
const earlierStatuses = 20;

export function starSeed(followerCount: number): Seed<StarFacts> {
  return {
    name: 'star',
    parameters: { followers: followerCount, partitions, earlierStatuses },
    async build(dataDirectory) {
      const owners = await openOwners({ dataDirectory, partitions });
      const star = await createPerson(owners, 'star');
      const followers = await inFlight(followerCount, async (index) => {
        const follower = await createPerson(owners, `follower${index}`);
        await follow(owners, follower, star);
        return follower;
      });
      for (let index = 0; index < earlierStatuses; index += 1)
        await publish(owners, star, plainStatus(statusText(index)));
      await owners.close();
      return { star, followers };
    },
  };
}
