/** List timelines of their owners: without reading storage where the ring is warm, and gone with the list. */

import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { storedStatuses } from '../../../src/actors/account/home/home.queries.ts';
import type { FeedRequest } from '../../../src/actors/partition/feeds.messages.ts';
import { ListTimeline } from '../../../src/operations/timelines/list-timeline.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import type { Client } from '../../../src/runtime/threads/client.ts';
import { Feeds } from '../../../src/services/feeds.ts';
import { TimeSlices } from '../../../src/services/time-slices.ts';
import { roomyCaches } from '../../support/caches.ts';
import { FeedOwners } from '../../support/feed-owners.ts';
import type { Person } from '../../support/observer.ts';
import { only } from '../../support/only.ts';
import type { People } from '../../support/people.ts';
import { until } from '../../support/until.ts';

const newest = { limit: 20 };

let owners: FeedOwners;
let people: People;
let timeline: ListTimeline;
let feeds: Feeds;
let alice: Person;
let carol: Person;
let listId: Id;
let postId: Id;

beforeEach(async () => {
  owners = new FeedOwners({ partitions: 2, rings: 4, entries: 12 });
  people = owners.people;
  alice = people.local('alice');
  carol = people.local('carol');
  await people.follow(alice, carol);
  const { server } = owners;
  const list = { title: 'Friends', repliesPolicy: 'list', exclusive: false } as const;
  ({ listId } = await server.call(Account.createList.to(alice.id, list)));
  await server.call(Account.addToList.to(alice.id, { listId, memberIds: [carol.id] }));
  ({ id: postId } = await people.publish(carol));
  const client = only<Client>('client', {
    placement: server.read.placement,
    control: async (partition: number, view: string, request: FeedRequest) =>
      server.partitions[partition]!.control(view, request) as never,
  });
  feeds = new Feeds({
    client,
    snapshots: server.read,
    slices: new TimeSlices(),
    statuses: storedStatuses,
    rings: owners.memories,
    rebuildMilliseconds: 1_000,
    monotonic: () => server.clock.monotonic(),
    report: ({ message }) => expect.fail(message),
  });
  timeline = new ListTimeline({ snapshots: server.read, caches: roomyCaches(), feeds });
  expect(await shown()).toEqual([postId]);
  await until(() => feeds.warmList(listId, newest) !== undefined);
});

async function shown(by = alice): Promise<Id[]> {
  return Array.from((await timeline.page(by.id, listId, newest)).ids);
}

const readsOf = async (act: () => unknown): Promise<number> => {
  const before = owners.server.read.readCount;
  await act();
  return owners.server.read.readCount - before;
};

test('a warm one is read without a look at storage, and has what came since', async () => {
  const { id } = await people.publish(carol);
  await until(async () => (await shown()).length === 2);
  expect(await readsOf(() => shown())).toBe(0);
  expect(await shown()).toEqual([id, postId]);
});

test('nobody else reads it', async () => {
  for (let count = 0; count < 2; count += 1) await expect(shown(carol)).rejects.toMatchObject({ code: 'notFound' });
});

test('there is none once the list is removed', async () => {
  await owners.server.call(Account.removeList.to(alice.id, { listId }));
  for (let count = 0; count < 2; count += 1) await expect(shown()).rejects.toMatchObject({ code: 'notFound' });
});

test('whoever leaves the list is gone from it', async () => {
  await owners.server.call(Account.removeFromList.to(alice.id, { listId, memberIds: [carol.id] }));
  expect(await shown()).toEqual([]);
});
