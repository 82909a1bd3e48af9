/**
 * Whatever people do with each other's statuses at the same time (favourites, reblogs, replies, deletions, blocks, an
 * account that departs), both ends agree once all messages have arrived, and so do numbers, lists, timelines and
 * notifications. Seeded; a failure prints its seed.
 */
import { expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import type { Status } from '../../../../src/actors/account/statuses/statuses.records.ts';
import type { Envelope } from '../../../../src/runtime/contract.ts';
import type { Id } from '../../../../src/runtime/ids.ts';
import { SeededRandom } from '../../../sim/random.ts';
import { fixedSeeds, testFreshSeeds } from '../../../sim/seeds.ts';
import { type Post, unfavourite, unreblog } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

const rounds = 10;
const actsPerRound = 8;
const untilRemovedMilliseconds = 60_000;
const visibilities = ['public', 'unlisted', 'private'] as const;

const acts: readonly ((actor: Person, post: Post, now: number) => Envelope)[] = [
  (actor, { id, author }) => Account.favourite.to(author.id, { statusId: id, by: actor.id }),
  (actor, { id, author }) => Account.favourite.to(author.id, { statusId: id, by: actor.id }),
  (actor, post) => unfavourite(actor, post),
  (actor, { id, author }, now) =>
    actor.destination === undefined
      ? Account.reblog.to(author.id, { statusId: id, by: actor.id })
      : Account.receiveReblog.to(actor.id, {
          statusId: id,
          authorId: author.id,
          uri: `https://remote.test/announces/${id}-${now}`,
          publishedAt: now,
          visibility: 'public',
        }),
  (actor, post) =>
    actor.destination === undefined
      ? unreblog(actor, post)
      : Account.receiveUndo.to(actor.id, {
          signedAt: 0,
          undone: { kind: 'boost', statusId: post.id, authorId: post.author.id },
        }),
  (_actor, { id, author }) => Account.deleteStatus.to(author.id, { statusId: id, destinations: [] }),
  (actor, { author }) => Account.block.to(actor.id, { targetId: author.id }),
  (actor, { author }) => Account.unblock.to(actor.id, { targetId: author.id }),
];

function expectAgreement(people: People, everybody: readonly Person[], posts: readonly Post[]): void {
  people.expectSound();
  const alive = new Map<Id, Status>();
  for (const person of everybody)
    for (const { id } of people.statusEntries(person)) alive.set(id, people.statusRecord(id)!);
  for (const person of everybody)
    for (const { type, statusId } of people.notificationsOf(person))
      if (type === 'mention') expect(people.statusRecord(statusId!)).toBeDefined();
  const expected = [...alive.values()].filter(
    ({ visibility, reblogOfId, inReplyToAccountId, accountId }) =>
      visibility === 'public' &&
      reblogOfId === undefined &&
      (inReplyToAccountId === undefined || inReplyToAccountId === accountId),
  );
  const listed = people.publicEntries().map(({ id }) => id);
  expect(listed.sort()).toEqual(expected.map(({ id }) => id).sort());
  for (const { id, reblogOfId, accountId } of alive.values()) {
    const author = everybody.find((one) => one.id === accountId)!;
    if (reblogOfId !== undefined) expect([id, people.hasReblogged(author, { id: reblogOfId })]).toEqual([id, true]);
  }
  for (const post of posts) {
    const isAlive = alive.has(post.id);
    const favouriters = everybody.filter((one) => people.hasFavourited(one, post));
    const rebloggers = everybody.filter((one) => people.hasReblogged(one, post));
    for (const one of favouriters) if (isAlive) expect(people.favouriteIds(one)).toContain(post.id);
    const answers = [...alive.values()].filter(({ inReplyToId }) => inReplyToId === post.id);
    expect(people.countersOf(post)).toMatchObject(
      isAlive
        ? {
            favourites: favouriters.length,
            reblogs: rebloggers.length,
            replies: answers.filter(({ visibility }) => visibility !== 'private').length,
          }
        : { favourites: 0, reblogs: 0, replies: 0 },
    );
    expect(people.replyIds(post).sort()).toEqual(isAlive ? answers.map(({ id }) => id).sort() : []);
    if (!isAlive) expect([...people.favouriterIds(post), ...people.rebloggerIds(post), ...rebloggers]).toEqual([]);
  }
}

async function play(seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const people = new People();
  const everybody = [
    people.local('alice'),
    people.local('bob'),
    people.remote('carol', 'remote.test'),
    people.remote('dave', 'remote.test'),
  ];
  const posts: Post[] = [];
  let departed: Person | undefined;
  for (let round = 0; round < rounds; round += 1) {
    for (let number = 0; number < 2; number += 1) {
      const author = random.pick(everybody);
      if (author === departed) continue;
      const replyTo = posts.length > 0 && random.chance(0.5) ? random.pick(posts) : undefined;
      const answer = replyTo === undefined ? {} : { replyTo };
      const options = { visibility: random.pick(visibilities), mentions: [random.pick(everybody)], ...answer };
      const uri = `https://remote.test/notes/${round}-${number}`;
      posts.push(
        author.destination === undefined
          ? await people.publish(author, options)
          : await people.receive(author, uri, options),
      );
    }
    for (let act = 0; act < actsPerRound; act += 1) {
      const actor = random.pick(everybody);
      const post = random.pick(posts);
      people.server.send(random.pick(acts)(actor, post, people.server.clock.now()));
      for (let steps = random.below(4); steps > 0; steps -= 1) people.server.step();
    }
    if (round === rounds - 3 && seed % 2 === 0) {
      departed = random.pick(everybody.slice(2));
      people.server.send(Account.remoteAccountDeleted.to(departed.id, {}));
    }
    people.server.settle();
    // What an account that is gone leaves is removed with pauses.
    if (departed !== undefined) people.server.clock.advance(untilRemovedMilliseconds);
    expectAgreement(people, everybody, posts);
  }
  expect(people.server.problems).toEqual([]);
}

test.each(fixedSeeds(10, 25))('both ends agree (seed %i)', play);

test('a reblog that a block refuses, and that is asked for again after it, is gone at both ends', () =>
  play(202_295_540));

testFreshSeeds('both ends of interactions', play, { seconds: 60 });
