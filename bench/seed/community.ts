/**
 * A community: people who write, readers who each follow some of them, and a crowd that mostly listens. The first people
 * are the authors, then come the readers; everybody has a token, and the whole crowd follows the first author.
 */
import type { Id } from '../../src/runtime/ids.ts';
import type { Seed } from './cache.ts';
import { inFlight } from './in-flight.ts';
import { type Owners, openOwners } from './owners.ts';
import { createApplication, createPerson, follow, issueToken, plainStatus, publish, statusText } from './people.ts';

export interface CommunitySize {
  readonly people: number;
  readonly authors: number;
  readonly statusesPerAuthor: number;
  readonly readers: number;
  readonly followsPerReader: number;
  /** Followers of the first author among the crowd. */
  readonly crowd: number;
  readonly threads: number;
}

export interface CommunityFacts {
  readonly authors: readonly Id[];
  readonly readers: readonly Id[];
  /** Followers of the first author. */
  readonly crowd: readonly Id[];
  readonly people: readonly Id[];
  readonly statuses: readonly Id[];
  /** Statuses with twenty others in their threads: answers, and answers to those. */
  readonly threads: readonly Id[];
}

export const partitions = 2;
const _seededOrigin = 'http://127.0.0.1';

export function communitySeed(size: CommunitySize): Seed<CommunityFacts> {
  return {
    name: 'community',
    parameters: { ...size, partitions },
    async build(dataDirectory) {
      const owners = await openOwners({ dataDirectory, partitions });
      const applicationId = await createApplication(owners);
      const people = await inFlight(size.people, (index) => createPerson(owners, nameOfPerson(index)));
      await inFlight(size.people, (index) => issueToken(owners, applicationId, people[index]!));
      const authors = people.slice(0, size.authors);
      const readers = people.slice(size.authors, size.authors + size.readers);
      const crowd = people.slice(-size.crowd);
      await inFlight(size.readers * size.followsPerReader, (index) => {
        const reader = Math.floor(index / size.followsPerReader);
        // A stride that is coprime to most numbers spreads the follows over all authors, without repeating one.
        const author = (reader * 7 + index * 11) % size.authors;
        return follow(owners, readers[reader]!, authors[author]!);
      });
      await inFlight(size.crowd, (index) => follow(owners, crowd[index]!, authors[0]!));
      const statuses = await inFlight(size.authors * size.statusesPerAuthor, (index) =>
        publish(owners, authors[index % size.authors]!, plainStatus(statusText(index))),
      );
      const threads = await inFlight(size.threads, (index) => thread(owners, authors, index));
      await owners.close();
      return { authors, readers, crowd, people, statuses, threads };
    },
  };
}

const repliesPerThread = 20;

/** Every second answer is to the one before it. */
async function thread(owners: Owners, authors: readonly Id[], number: number): Promise<Id> {
  const authorOf = (index: number) => authors[(number + index) % authors.length]!;
  const rootId = await publish(owners, authorOf(0), plainStatus(statusText(number)));
  let answered = { id: rootId, by: authorOf(0) };
  for (let index = 1; index <= repliesPerThread; index += 1) {
    const author = authorOf(index);
    const reply = { inReplyToId: answered.id, inReplyToAccountId: answered.by };
    const id = await publish(owners, author, { ...plainStatus(statusText(number + index)), ...reply });
    answered = index % 2 === 0 ? { id: rootId, by: authorOf(0) } : { id, by: author };
  }
  return rootId;
}

export function nameOfPerson(index: number): string {
  return `person${index}`;
}
