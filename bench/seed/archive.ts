/**
 * A server with some history: the same people, with few statuses or with many. Readers follow authors, have a list of
 * them, notifications, and private conversations; one thread has a thousand answers.
 */
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Id } from '../../src/runtime/ids.ts';
import { flowOfAccount } from '../../src/services/services.ts';
import type { Seed } from './cache.ts';
import { nameOfPerson, partitions } from './community.ts';
import { inFlight } from './in-flight.ts';
import { type Owners, openOwners } from './owners.ts';
import { createApplication, createPerson, follow, issueToken, plainStatus, publish, statusText } from './people.ts';

export interface ArchiveSize {
  readonly authors: number;
  readonly readers: number;
  readonly followsPerReader: number;
  readonly statuses: number;
  /** Favourites of the one post of each reader. */
  readonly favouritesPerReader: number;
  readonly conversationsPerReader: number;
  readonly repliesOfThread: number;
}

/** With a hundredth of the statuses. */
export function smallerArchive(size: ArchiveSize): ArchiveSize {
  return { ...size, statuses: Math.ceil(size.statuses / 100) };
}

export interface ArchiveFacts {
  readonly authors: readonly Id[];
  readonly readers: readonly Id[];
  /** One of each reader. */
  readonly lists: readonly Id[];
  /** The beginning of the long thread. */
  readonly threadId: Id;
}

const membersPerList = 20;

export function archiveSeed(size: ArchiveSize): Seed<ArchiveFacts> {
  return {
    name: `archive of ${size.statuses}`,
    parameters: { ...size, partitions },
    async build(dataDirectory) {
      const owners = await openOwners({ dataDirectory, partitions });
      const applicationId = await createApplication(owners);
      const people = await inFlight(size.authors + size.readers, (index) => createPerson(owners, nameOfPerson(index)));
      const authors = people.slice(0, size.authors);
      const readers = people.slice(size.authors);
      await inFlight(readers.length, (index) => issueToken(owners, applicationId, readers[index]!));
      const followed = readers.map((_, reader) =>
        Array.from(
          { length: size.followsPerReader },
          (_, index) => authors[(reader * 7 + index * 11) % authors.length]!,
        ),
      );
      await inFlight(readers.length * size.followsPerReader, (index) => {
        const reader = Math.floor(index / size.followsPerReader);
        return follow(owners, readers[reader]!, followed[reader]![index % size.followsPerReader]!);
      });
      const lists = await inFlight(readers.length, (index) =>
        listOf(owners, readers[index]!, [...new Set(followed[index])].slice(0, membersPerList)),
      );
      await inFlight(size.statuses, (index) =>
        publish(owners, authors[index % authors.length]!, plainStatus(statusText(index))),
      );
      await inFlight(readers.length, (index) => notify(owners, readers[index]!, authors, size.favouritesPerReader));
      await inFlight(readers.length * size.conversationsPerReader, (index) =>
        writeTo(owners, authors[index % authors.length]!, readers[index % readers.length]!, index % readers.length),
      );
      const threadId = await longThread(owners, authors, size.repliesOfThread);
      await owners.close();
      return { authors, readers, lists, threadId };
    },
  };

  async function listOf(owners: Owners, owner: Id, memberIds: Id[]): Promise<Id> {
    const list = { title: 'Some', repliesPolicy: 'list', exclusive: false } as const;
    const { listId } = await owners.call(Account.createList.to(owner, list), flowOfAccount(owner));
    await owners.call(Account.addToList.to(owner, { listId, memberIds }), flowOfAccount(owner));
    return listId;
  }

  async function notify(owners: Owners, reader: Id, authors: readonly Id[], count: number): Promise<void> {
    const statusId = await publish(owners, reader, plainStatus(statusText(0)));
    for (let index = 0; index < count; index += 1) {
      const by = authors[index % authors.length]!;
      await owners.call(Account.favourite.to(reader, { statusId, by }), flowOfAccount(by));
    }
  }

  async function writeTo(owners: Owners, author: Id, reader: Id, number: number): Promise<void> {
    const username = nameOfPerson(size.authors + number);
    const mention = { id: reader, username, acct: username, url: `/@${username}` };
    await publish(owners, author, {
      ...plainStatus(statusText(number)),
      visibility: 'direct',
      mentions: [{ mention }],
    });
  }
}

async function longThread(owners: Owners, authors: readonly Id[], replies: number): Promise<Id> {
  const author = authors[0]!;
  const rootId = await publish(owners, author, plainStatus(statusText(0)));
  const reply = { inReplyToId: rootId, inReplyToAccountId: author, threadId: rootId };
  await inFlight(replies, (index) =>
    publish(owners, authors[index % authors.length]!, { ...plainStatus(statusText(index)), ...reply }),
  );
  return rootId;
}
