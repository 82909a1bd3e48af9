/**
 * A server with objects that are expensive to show or to change: long and deep threads, accounts with many followers,
 * a large list. One client asks for them; what that costs others is what is measured.
 */
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Id } from '../../src/runtime/ids.ts';
import { flowOfAccount } from '../../src/services/services.ts';
import type { Seed } from './cache.ts';
import { nameOfPerson, partitions } from './community.ts';
import { inFlight } from './in-flight.ts';
import { type Owners, openOwners } from './owners.ts';
import { createApplication, createPerson, follow, issueToken, plainStatus, publish, statusText } from './people.ts';

export interface BurdenSize {
  readonly people: number;
  readonly threads: number;
  /** Of long and of deep ones. */
  readonly repliesPerThread: number;
  /** Whom some people follow, and who follows them. */
  readonly follows: number;
  readonly listMembers: number;
}

export interface BurdenFacts {
  /** Everybody has a token. */
  readonly people: readonly Id[];
  /** Roots; all answers are to them. */
  readonly threads: readonly Id[];
  /** Each answer is to the one before. */
  readonly deepThreads: readonly Id[];
  /** They follow many, and as many follow them. */
  readonly busyPeople: readonly Id[];
  /** One of each busy person. */
  readonly lists: readonly Id[];
}

const deepThreads = 4;
const busyPeople = 4;

export function burdenSeed(size: BurdenSize): Seed<BurdenFacts> {
  return {
    name: 'burden',
    parameters: { ...size, deepThreads, busyPeople, partitions },
    async build(dataDirectory) {
      const owners = await openOwners({ dataDirectory, partitions });
      const applicationId = await createApplication(owners);
      const people = await inFlight(size.people, (index) => createPerson(owners, nameOfPerson(index)));
      await inFlight(size.people, (index) => issueToken(owners, applicationId, people[index]!));
      const busy = people.slice(0, busyPeople);
      const others = people.slice(busyPeople, busyPeople + size.follows);
      await inFlight(busy.length, async (index) => {
        for (const other of others) await follow(owners, busy[index]!, other);
      });
      await inFlight(others.length, async (index) => {
        for (const person of busy) await follow(owners, others[index]!, person);
      });
      const members = others.slice(0, size.listMembers);
      const lists = await inFlight(busy.length, (index) => listOf(owners, busy[index]!, members));
      const threads: Id[] = [];
      for (let index = 0; index < size.threads; index += 1)
        threads.push(await wideThread(owners, people, size.repliesPerThread, index));
      const deep = await inFlight(deepThreads, () => deepThread(owners, people, size.repliesPerThread));
      await owners.close();
      return { people, threads, deepThreads: deep, busyPeople: busy, lists };
    },
  };
}

async function listOf(owners: Owners, owner: Id, members: readonly Id[]): Promise<Id> {
  const list = { title: 'Many', repliesPolicy: 'list', exclusive: false } as const;
  const { listId } = await owners.call(Account.createList.to(owner, list), flowOfAccount(owner));
  await owners.call(Account.addToList.to(owner, { listId, memberIds: [...members] }), flowOfAccount(owner));
  return listId;
}

async function wideThread(owners: Owners, people: readonly Id[], replies: number, number: number): Promise<Id> {
  const author = people[number % people.length]!;
  const rootId = await publish(owners, author, plainStatus(statusText(number)));
  const reply = { inReplyToId: rootId, inReplyToAccountId: author, threadId: rootId };
  await inFlight(replies, (index) =>
    publish(owners, people[(number + index) % people.length]!, { ...plainStatus(statusText(index)), ...reply }),
  );
  return rootId;
}

async function deepThread(owners: Owners, people: readonly Id[], replies: number): Promise<Id> {
  const author = people[0]!;
  const rootId = await publish(owners, author, plainStatus(statusText(0)));
  let parentId = rootId;
  for (let index = 0; index < replies; index += 1) {
    const reply = { inReplyToId: parentId, inReplyToAccountId: author, threadId: rootId };
    parentId = await publish(owners, author, { ...plainStatus(statusText(index)), ...reply });
  }
  return rootId;
}
