/** The feeds of one partition, case by case: what overtakes what, who has a ring, who is named. */
import { beforeEach, describe, expect, test } from 'vitest';
import { statusPublished } from '../../../src/actors/account/statuses/statuses.events.ts';
import { FeedsView } from '../../../src/actors/partition/feeds.view.ts';
import { isEvent } from '../../../src/runtime/events/event.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import type { Person } from '../../support/observer.ts';
import { FeedTown } from './feed-town.ts';

let town: FeedTown;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;

async function settleIn(rings: number): Promise<void> {
  town = new FeedTown({ partitions: 1, rings, entries: 8, ringsPerSlice: 1 });
  alice = await town.local('alice', 1);
  bob = await town.local('bob', 2);
  carol = await town.local('carol', 3);
  dave = await town.local('dave', 4);
}

beforeEach(() => settleIn(2));

function listen(person: Person, listening = true, gateway = 0) {
  return town.control(person, { kind: 'listen', accountId: person.id, listening }, gateway);
}

async function publish(author: Person, language?: string): Promise<Id> {
  const { statusId } = await town.server.call(town.publish(author, { language }));
  return statusId;
}

/** Runs pieces until the status is committed and its event was seen, and nothing after that. */
function commitOnly(author: Person): Id {
  town.named = [];
  town.server.send(town.publish(author));
  for (;;) {
    const published = town.named.flatMap(({ event }) => (isEvent(event, statusPublished) ? [event.body.id] : []));
    if (published.length > 0) return published[0]!;
    if (!town.server.step()) throw new Error('nothing was published');
  }
}

function idsIn(person: Person): Id[] | undefined {
  return town.ringOf(person)?.ids;
}

function namedFor(statusId: Id): Id[] {
  return town.named
    .filter(({ event }) => isEvent(event, statusPublished) && event.body.id === statusId)
    .flatMap(({ accounts }) => accounts);
}

describe('a status on its way into rings', () => {
  test('does not reach a ring that was given to somebody else meanwhile', async () => {
    await town.server.call(town.follow(alice, carol));
    await town.server.call(town.follow(bob, carol));
    town.warm(alice);
    town.warm(bob);
    listen(alice);
    const statusId = commitOnly(carol);
    town.warm(dave);
    town.server.settle();
    expect(idsIn(bob)).toBeUndefined();
    expect(idsIn(dave)).toEqual([]);
    expect(idsIn(alice)).toEqual([statusId]);
  });

  test('does not come back after an unfollow that overtook it', async () => {
    await town.server.call(town.follow(alice, carol));
    await town.server.call(town.follow(bob, carol));
    town.warm(alice);
    town.warm(bob);
    // The first of the two rings is served at once, the second in a slice of its own.
    commitOnly(carol);
    town.server.send(town.unfollow(bob, carol));
    town.server.settle();
    town.warm(bob);
    expect(idsIn(bob)).toEqual([]);
  });

  test('is in the ring of its author before anything else happens', () => {
    town.warm(carol);
    const statusId = commitOnly(carol);
    expect(idsIn(carol)).toEqual([statusId]);
  });

  test('leaves all rings when it is deleted', async () => {
    await town.server.call(town.follow(alice, carol));
    town.warm(alice);
    town.warm(carol);
    const kept = await publish(carol);
    const deleted = await publish(carol);
    await town.server.call(town.remove(carol, deleted));
    expect(idsIn(alice)).toEqual([kept]);
    expect(idsIn(carol)).toEqual([kept]);
  });

  test('leaves a ring that is being filled when an edit gives it a language that is not wanted', async () => {
    await town.server.call(town.follow(alice, carol, { languages: ['en'] }));
    const statusId = await publish(carol, 'en');
    town.open(alice);
    const [filling] = town.fillings;
    town.carryOn(filling!);
    await town.server.call(town.edit(carol, statusId, 'hallo', { language: 'de' }));
    town.carryOn(filling!);
    expect(idsIn(alice)).toBeUndefined();
    town.warm(alice);
    expect(idsIn(alice)).toEqual([]);
  });

  test('is not put back into a ring by a gateway that merged before it was deleted', async () => {
    await town.server.call(town.follow(alice, carol));
    const statusId = await publish(carol);
    town.open(alice);
    town.carryOn(town.fillings[0]!);
    town.warm(alice);
    await town.server.call(town.remove(carol, statusId));
    town.carryOn(town.fillings[0]!);
    expect(idsIn(alice)).toEqual([]);
  });
});

describe('a ring', () => {
  test('forgets everything that its account followed when it is given away, also what ends at that moment', async () => {
    await settleIn(1);
    await town.server.call(town.follow(alice, carol));
    town.warm(alice);
    town.server.send(town.unfollow(alice, carol));
    town.server.step();
    // The unfollow has run and is not committed: storage does not say any more that alice follows carol.
    town.warm(dave);
    town.server.settle();
    await publish(carol);
    expect(idsIn(dave)).toEqual([]);
  });

  test('is for local accounts only', async () => {
    const rita = await town.remote('rita', 5);
    expect(town.control(rita, { kind: 'open', accountId: rita.id })).toEqual({ generation: undefined });
    expect(town.control(rita, { kind: 'open', accountId: 77n })).toEqual({ generation: undefined });
  });

  test('goes to whoever is read, from whoever was not read for longest', () => {
    town.warm(alice);
    town.warm(bob);
    town.server.clock.advance(3_600_000);
    town.ringOf(alice);
    town.warm(carol);
    expect([alice, bob, carol].map((person) => town.hasRing(person))).toEqual([true, false, true]);
  });

  test('that an owner thread left in the middle of a change is begun anew', async () => {
    const statusId = await publish(alice);
    town.warm(alice);
    const [memory] = town.memories;
    const headers = new Int32Array(memory!.headers);
    headers[0]! |= 1;
    const view = new FeedsView(memory!, { now: () => town.server.clock.now(), defer: () => undefined });
    view.opened(town.server.partitions[0]!.reader);
    expect(idsIn(alice)).toBeUndefined();
    const { generation } = view.control({ kind: 'open', accountId: alice.id }, 0);
    view.control({ kind: 'fill', accountId: alice.id, generation: generation!, ids: [statusId], whole: true }, 0);
    expect(idsIn(alice)).toEqual([statusId]);
  });
});

describe('an account that listens', () => {
  test('keeps its ring, however many others are read', () => {
    listen(alice);
    town.server.clock.advance(3_600_000);
    for (const person of [bob, carol, dave]) town.warm(person);
    expect(town.hasRing(alice)).toBe(true);
  });

  test('is named as long as one gateway has a stream of it', async () => {
    listen(carol, true, 1);
    listen(carol, true, 2);
    listen(carol, false, 1);
    expect(namedFor(await publish(carol))).toEqual([carol.id]);
    listen(carol, false, 2);
    expect(namedFor(await publish(carol))).toEqual([]);
  });

  test('listens once, however often its gateway says so', async () => {
    listen(carol);
    listen(carol);
    expect(namedFor(await publish(carol))).toEqual([carol.id]);
    listen(carol, false);
    expect(namedFor(await publish(carol))).toEqual([]);
  });

  test('is forgotten with its gateway', async () => {
    listen(carol, true, 1);
    listen(alice, true, 2);
    town.server.partitions[0]!.callerReplaced(1);
    expect(namedFor(await publish(carol))).toEqual([]);
    expect(namedFor(await publish(alice))).toEqual([alice.id]);
  });

  test('goes on listening after its partition has opened again', async () => {
    listen(carol);
    town.reopen(0);
    expect(namedFor(await publish(carol))).toEqual([carol.id]);
  });

  test('waits for a ring when all belong to others that listen, and gets the first that one of them leaves', async () => {
    listen(alice);
    listen(bob);
    expect(listen(carol)).toEqual({ generation: undefined });
    expect(namedFor(await publish(carol))).toEqual([]);
    listen(bob, false);
    expect(namedFor(await publish(carol))).toEqual([carol.id]);
    expect(town.hasRing(bob)).toBe(false);
  });
});
