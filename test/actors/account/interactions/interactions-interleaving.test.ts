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
import { Circle, original, type Post } from '../../../support/circle.ts';
import type { Person } from '../../../support/observer.ts';

const seeds = Array.from({ length: 25 }, (_, index) => index + 1);
const rounds = 10;
const actsPerRound = 8;
const visibilities = ['public', 'unlisted', 'private'] as const;

const acts: readonly ((actor: Person, post: Post, now: number) => Envelope)[] = [
  (actor, { id, author }) => Account.favourite.to(author.id, { statusId: id, by: actor.id }),
  (actor, { id, author }) => Account.favourite.to(author.id, { statusId: id, by: actor.id }),
  (actor, post) => Account.unfavourite.to(actor.id, original(post)),
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
      ? Account.unreblog.to(actor.id, original(post))
      : Account.receiveUndo.to(actor.id, {
          signedAt: 0,
          undone: { kind: 'boost', statusId: post.id, authorId: post.author.id },
        }),
  (_actor, { id, author }) => Account.deleteStatus.to(author.id, { statusId: id, destinations: [] }),
  (actor, { author }) => Account.block.to(actor.id, { targetId: author.id }),
  (actor, { author }) => Account.unblock.to(actor.id, { targetId: author.id }),
];

function expectAgreement(circle: Circle, everybody: readonly Person[], posts: readonly Post[]): void {
  circle.expectSound();
  const alive = new Map<Id, Status>();
  for (const person of everybody)
    for (const { id } of circle.statusEntries(person)) alive.set(id, circle.statusRecord(id)!);
  for (const person of everybody)
    for (const { type, statusId } of circle.notificationsOf(person))
      if (type === 'mention') expect(circle.statusRecord(statusId!)).toBeDefined();
  const expected = [...alive.values()].filter(
    ({ visibility, reblogOfId, inReplyToAccountId, accountId }) =>
      visibility === 'public' &&
      reblogOfId === undefined &&
      (inReplyToAccountId === undefined || inReplyToAccountId === accountId),
  );
  const listed = circle.publicEntries().map(({ id }) => id);
  expect(listed.sort()).toEqual(expected.map(({ id }) => id).sort());
  for (const { id, reblogOfId, accountId } of alive.values()) {
    const author = everybody.find((one) => one.id === accountId)!;
    if (reblogOfId !== undefined) expect([id, circle.hasReblogged(author, { id: reblogOfId })]).toEqual([id, true]);
  }
  for (const post of posts) {
    const isAlive = alive.has(post.id);
    const favouriters = everybody.filter((one) => circle.hasFavourited(one, post));
    const rebloggers = everybody.filter((one) => circle.hasReblogged(one, post));
    for (const one of favouriters) if (isAlive) expect(circle.favouriteIds(one)).toContain(post.id);
    const answers = [...alive.values()].filter(({ inReplyToId }) => inReplyToId === post.id);
    expect(circle.countersOf(post)).toMatchObject(
      isAlive
        ? {
            favourites: favouriters.length,
            reblogs: rebloggers.length,
            replies: answers.filter(({ visibility }) => visibility !== 'private').length,
          }
        : { favourites: 0, reblogs: 0, replies: 0 },
    );
    expect(circle.replyIds(post).sort()).toEqual(isAlive ? answers.map(({ id }) => id).sort() : []);
    if (!isAlive) expect([...circle.favouriterIds(post), ...circle.rebloggerIds(post), ...rebloggers]).toEqual([]);
  }
}

test.each(seeds)('both ends agree (seed %i)', async (seed) => {
  const random = new SeededRandom(seed);
  const circle = new Circle();
  const everybody = [
    await circle.local('alice', 0),
    await circle.local('bob', 1),
    await circle.remote('carol', 'remote.test', 0),
    await circle.remote('dave', 'remote.test', 1),
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
          ? await circle.publish(author, options)
          : await circle.receive(author, uri, options),
      );
    }
    for (let act = 0; act < actsPerRound; act += 1) {
      const actor = random.pick(everybody);
      const post = random.pick(posts);
      circle.server.send(random.pick(acts)(actor, post, circle.server.clock.now()));
      for (let steps = random.below(4); steps > 0; steps -= 1) circle.server.step();
    }
    if (round === rounds - 3 && seed % 2 === 0) {
      departed = random.pick(everybody.slice(2));
      circle.server.send(Account.remoteAccountDeleted.to(departed.id, {}));
    }
    circle.server.settle();
    expectAgreement(circle, everybody, posts);
  }
  expect(circle.server.problems).toEqual([]);
});
