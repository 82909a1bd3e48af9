/** Homes that are filled after a start, before anybody reads them. */

import { beforeEach, expect, test } from 'vitest';
import { storedStatuses } from '../../src/actors/account/home/home.queries.ts';
import { dayOf, Session, userKey } from '../../src/actors/session/session.messages.ts';
import type { Client } from '../../src/runtime/threads/client.ts';
import { Feeds } from '../../src/services/feeds.ts';
import { warmHomeLimits } from '../../src/services/limits.ts';
import { TimeSlices } from '../../src/services/time-slices.ts';
import { type WarmHomesOptions, warmHomes } from '../../src/services/warm-homes.ts';
import { FeedOwners } from '../support/feed-owners.ts';
import type { Person } from '../support/observer.ts';
import { only } from '../support/only.ts';

const rings = 6;

let owners: FeedOwners;
let options: WarmHomesOptions;
/** In milliseconds, of each home. */
let pauses: number[];

beforeEach(() => {
  owners = new FeedOwners({ partitions: 2, rings, entries: 12 });
  pauses = [];
  const { clock } = owners.server;
  const client = only<Client>('client', {
    placement: owners.server.read.placement,
    control: async (partition: number, view: string, request: { kind: string }) => {
      if (request.kind === 'open') clock.advance(10);
      return owners.server.partitions[partition]!.control(view, request) as never;
    },
  });
  const parts = { snapshots: owners.server.read, slices: new TimeSlices(), monotonic: () => clock.monotonic() };
  const report = (problem: object) => expect.unreachable(JSON.stringify(problem));
  options = {
    ...parts,
    feeds: new Feeds({
      ...parts,
      client,
      report,
      statuses: storedStatuses,
      rings: owners.memories,
      rebuildMilliseconds: 1_000,
    }),
    partitions: [0, 1],
    ringsPerPartition: rings,
    now: () => clock.now(),
    pause: async (milliseconds) => void pauses.push(milliseconds),
  };
});

/** Last active so many days ago. */
function person(name: string, daysAgo: number, partition = 0): Person {
  const made = owners.people.local(name, { partition });
  const day = dayOf(owners.server.clock.now()) - daysAgo;
  owners.server.send(Session.userActive.to(userKey(made.id), { day }));
  owners.server.settle();
  return made;
}

test('are those of accounts that were active lately, each with a pause as long as it is worth', async () => {
  const carol = owners.people.local('carol');
  const alice = person('alice', 0);
  const bob = person('bob', warmHomeLimits.activeDays, 1);
  const gone = person('gone', warmHomeLimits.activeDays + 1);
  await owners.people.follow(alice, carol);
  const { id } = await owners.people.publish(carol);
  expect(await warmHomes(options)).toBe(2);
  expect(owners.ringOf(alice)).toEqual({ ids: [id], whole: true });
  expect([bob, gone, carol].map((one) => owners.hasRing(one))).toEqual([true, false, false]);
  expect(pauses).toEqual([10 * warmHomeLimits.pauses, 10 * warmHomeLimits.pauses]);
});

test('leave rings for others: the latest are filled', async () => {
  const readers = [4, 2, 5, 1, 3].map((daysAgo) => person(`active${daysAgo}`, daysAgo));
  const elsewhere = person('elsewhere', 6, 1);
  expect(await warmHomes(options)).toBe(rings * warmHomeLimits.ringShare + 1);
  expect(readers.map((one) => owners.hasRing(one))).toEqual([false, true, false, true, true]);
  expect(owners.hasRing(elsewhere)).toBe(true);
});

test('are found among more accounts than one slice looks at, in partitions that are asked for', async () => {
  const oldest = person('oldest', 0);
  for (let number = 0; number < warmHomeLimits.accountsPerSlice; number += 1) owners.people.local(`quiet${number}`);
  const elsewhere = person('elsewhere', 0, 1);
  expect(await warmHomes({ ...options, partitions: [0] })).toBe(1);
  expect([oldest, elsewhere].map((one) => owners.hasRing(one))).toEqual([true, false]);
});

test('that have a ring already are left as they are, and an end ends the work', async () => {
  const [first, second] = [person('first', 0), person('second', 1)];
  owners.warm(first);
  const pause = async () => {
    throw new Error('closing');
  };
  await expect(warmHomes({ ...options, pause })).rejects.toThrow('closing');
  expect(owners.hasRing(second)).toBe(false);
});
