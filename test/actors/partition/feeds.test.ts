/** The feeds of one partition, case by case: concurrent changes, which accounts have rings, recipients of events. */
import { beforeEach, describe, expect, test } from 'vitest';
import { statusEdited, statusPublished } from '../../../src/actors/account/statuses/statuses.events.ts';
import { FeedsView } from '../../../src/actors/partition/feeds.view.ts';
import { isEvent } from '../../../src/runtime/events/event.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { edit, importPost, type Post, publish, unfollow } from '../../support/acts.ts';
import { FeedOwners } from '../../support/feed-owners.ts';
import { mergedHome } from '../../support/merged-home.ts';
import type { Person } from '../../support/observer.ts';
import type { People } from '../../support/people.ts';

let owners: FeedOwners;
let people: People;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;

function settleIn(rings: number): void {
  owners = new FeedOwners({ partitions: 1, rings, entries: 8, ringsPerSlice: 1 });
  people = owners.people;
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.local('carol');
  dave = people.local('dave');
}

beforeEach(() => settleIn(2));

function listen(person: Person, listening = true, gateway = 0) {
  return owners.control(person, { kind: 'listen', accountId: person.id, listening }, gateway);
}

test('whether an account listens is known for all gateways together', async () => {
  const isListening = () => owners.control(alice, { kind: 'isListening', accountId: alice.id }, 5).isListening;
  expect(isListening()).toBe(false);
  listen(alice, true, 0);
  listen(alice, true, 1);
  listen(alice, false, 0);
  expect(isListening()).toBe(true);
  listen(alice, false, 1);
  expect(isListening()).toBe(false);
});

/** Runs pieces until the status is committed and its event was seen, and nothing after that. */
function commitOnly(author: Person): Id {
  owners.named = [];
  owners.server.send(publish(author));
  for (;;) {
    const published = owners.named.flatMap(({ event }) => (isEvent(event, statusPublished) ? [event.body.id] : []));
    if (published.length > 0) return published[0]!;
    if (!owners.server.step()) throw new Error('nothing was published');
  }
}

function idsIn(person: Person): Id[] | undefined {
  return owners.ringOf(person)?.ids;
}

function namedFor({ id }: Post): Id[] {
  return owners.named
    .filter(({ event }) => isEvent(event, statusPublished) && event.body.id === id)
    .flatMap(({ accounts }) => accounts);
}

describe('a status on its way into rings', () => {
  test('does not reach a ring that was given to somebody else meanwhile', async () => {
    await people.follow(alice, carol);
    await people.follow(bob, carol);
    owners.warm(alice);
    owners.warm(bob);
    listen(alice);
    const statusId = commitOnly(carol);
    owners.warm(dave);
    owners.server.settle();
    expect(idsIn(bob)).toBeUndefined();
    expect(idsIn(dave)).toEqual([]);
    expect(idsIn(alice)).toEqual([statusId]);
  });

  test('does not come back after an unfollow that overtook it', async () => {
    await people.follow(alice, carol);
    await people.follow(bob, carol);
    owners.warm(alice);
    owners.warm(bob);
    // The first of the two rings is served at once, the second in a slice of its own.
    commitOnly(carol);
    owners.server.send(unfollow(bob, carol));
    owners.server.settle();
    owners.warm(bob);
    expect(idsIn(bob)).toEqual([]);
  });

  test('is in the ring of its author before anything else happens', () => {
    owners.warm(carol);
    const statusId = commitOnly(carol);
    expect(idsIn(carol)).toEqual([statusId]);
  });

  test('leaves all rings when it is deleted', async () => {
    await people.follow(alice, carol);
    owners.warm(alice);
    owners.warm(carol);
    const kept = await people.publish(carol);
    const deleted = await people.publish(carol);
    await people.remove(deleted);
    expect(idsIn(alice)).toEqual([kept.id]);
    expect(idsIn(carol)).toEqual([kept.id]);
  });

  test('leaves a ring that is being filled when an edit gives it a language that is not wanted', async () => {
    await people.follow(alice, carol, { languages: ['en'] });
    const post = await people.publish(carol, { language: 'en' });
    owners.open(alice);
    const [filling] = owners.fillings;
    owners.carryOn(filling!);
    await owners.server.call(edit(post, { text: 'hallo', language: 'de' }));
    owners.carryOn(filling!);
    expect(idsIn(alice)).toBeUndefined();
    owners.warm(alice);
    expect(idsIn(alice)).toEqual([]);
  });

  test('that was imported is in no ring, and who follows its author is not told of its edit', async () => {
    await people.follow(alice, carol, { languages: ['de'] });
    for (const one of [alice, carol]) {
      listen(one);
      owners.warm(one);
    }
    const publishedAt = owners.server.clock.now();
    const given = { uri: 'https://old.example/1', publishedAt, threadId: undefined, language: 'en' };
    const { statusId } = (await owners.server.call(importPost(carol, given))) as { statusId: Id };
    await owners.server.call(edit({ id: statusId, author: carol }, { text: 'hallo', language: 'de' }));
    expect([idsIn(alice), idsIn(carol)]).toEqual([[], []]);
    const edits = owners.named.filter(({ event }) => isEvent(event, statusEdited));
    expect(edits.map(({ accounts }) => accounts)).toEqual([[]]);
  });

  test('is not put back into a ring by a gateway that merged before it was deleted', async () => {
    await people.follow(alice, carol);
    const post = await people.publish(carol);
    owners.open(alice);
    owners.carryOn(owners.fillings[0]!);
    owners.warm(alice);
    await people.remove(post);
    owners.carryOn(owners.fillings[0]!);
    expect(idsIn(alice)).toEqual([]);
  });
});

test("a reblog of one's own status belongs in the home of its author, as any other does", async () => {
  await people.follow(alice, carol);
  owners.warm(alice);
  listen(alice);
  const post = await people.publish(alice);
  const reblog = await people.reblog(carol, post);
  expect(namedFor(reblog)).toEqual([alice.id]);
  expect(idsIn(alice)).toEqual([post.id, reblog.id]);
  expect(mergedHome(owners.server.read, alice.id, { limit: 8 })).toEqual([reblog.id, post.id]);
});

describe('a ring', () => {
  test('forgets everything that its account followed when it is given away, also what ends at that moment', async () => {
    settleIn(1);
    await people.follow(alice, carol);
    owners.warm(alice);
    owners.server.send(unfollow(alice, carol));
    owners.server.step();
    // The unfollow has run and is not committed: storage does not say any more that alice follows carol.
    owners.warm(dave);
    owners.server.settle();
    await people.publish(carol);
    expect(idsIn(dave)).toEqual([]);
  });

  test('is for local accounts only', async () => {
    const rita = people.remote('rita', 'there.test');
    expect(owners.control(rita, { kind: 'open', accountId: rita.id })).toEqual({ generation: undefined });
    expect(owners.control(rita, { kind: 'open', accountId: 77n })).toEqual({ generation: undefined });
  });

  test('goes to the account that is read now, from the one that was read longest ago', () => {
    owners.warm(alice);
    owners.warm(bob);
    owners.server.clock.advance(3_600_000);
    owners.ringOf(alice);
    owners.warm(carol);
    expect([alice, bob, carol].map((person) => owners.hasRing(person))).toEqual([true, false, true]);
  });

  test('that an owner thread died while writing is rebuilt', async () => {
    const { id: statusId } = await people.publish(alice);
    owners.warm(alice);
    const [memory] = owners.memories;
    const headers = new Int32Array(memory!.headers);
    headers[0]! |= 1;
    const view = new FeedsView(memory!, { monotonic: () => owners.server.clock.monotonic(), defer: () => undefined });
    view.opened(owners.server.partitions[0]!.reader);
    expect(idsIn(alice)).toBeUndefined();
    const { generation } = view.control({ kind: 'open', accountId: alice.id }, 0);
    view.control({ kind: 'fill', accountId: alice.id, generation: generation!, ids: [statusId], whole: true }, 0);
    expect(idsIn(alice)).toEqual([statusId]);
  });
});

describe('an account that listens', () => {
  test('keeps its ring, however many others are read', () => {
    listen(alice);
    owners.server.clock.advance(3_600_000);
    for (const person of [bob, carol, dave]) owners.warm(person);
    expect(owners.hasRing(alice)).toBe(true);
  });

  test('is among the recipients as long as one gateway has a stream for it', async () => {
    listen(carol, true, 1);
    listen(carol, true, 2);
    listen(carol, false, 1);
    expect(namedFor(await people.publish(carol))).toEqual([carol.id]);
    listen(carol, false, 2);
    expect(namedFor(await people.publish(carol))).toEqual([]);
  });

  test('listens once, however often its gateway says so', async () => {
    listen(carol);
    listen(carol);
    expect(namedFor(await people.publish(carol))).toEqual([carol.id]);
    listen(carol, false);
    expect(namedFor(await people.publish(carol))).toEqual([]);
  });

  test('is forgotten with its gateway', async () => {
    listen(carol, true, 1);
    listen(alice, true, 2);
    owners.server.partitions[0]!.callerReplaced(1);
    expect(namedFor(await people.publish(carol))).toEqual([]);
    expect(namedFor(await people.publish(alice))).toEqual([alice.id]);
  });

  test('goes on listening after its partition has opened again', async () => {
    listen(carol);
    owners.reopen(0);
    expect(namedFor(await people.publish(carol))).toEqual([carol.id]);
  });

  test('waits for a ring when all belong to others that listen, and gets the first that one of them leaves', async () => {
    listen(alice);
    listen(bob);
    expect(listen(carol)).toEqual({ generation: undefined });
    expect(namedFor(await people.publish(carol))).toEqual([]);
    listen(bob, false);
    expect(namedFor(await people.publish(carol))).toEqual([carol.id]);
    expect(owners.hasRing(bob)).toBe(false);
  });
});
