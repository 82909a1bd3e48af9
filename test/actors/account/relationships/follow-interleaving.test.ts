/**
 * Whatever five people do to each other at the same time, both ends of every follow agree once all messages have
 * arrived, and so do indexes, counters, follower distributions and what the domain actor of the remote one knows. Seeded; a failure prints
 * its seed.
 */
import { expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import type { Envelope } from '../../../../src/runtime/contract.ts';
import { fixedSeeds, testFreshSeeds } from '../../../sim/seeds.ts';
import { expectEqual } from '../../../support/equal.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

const rounds = 12;
const actsPerRound = 6;

function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const acts: readonly ((actor: Person, other: Person) => Envelope)[] = [
  (actor, { id: targetId }) => Account.follow.to(actor.id, { targetId, options: {} }),
  (actor, { id: targetId }) => Account.follow.to(actor.id, { targetId, options: { notify: true } }),
  (actor, { id: targetId }) => Account.unfollow.to(actor.id, { targetId }),
  (actor, { id: requesterId }) => Account.authorizeFollow.to(actor.id, { requesterId }),
  (actor, { id: requesterId }) => Account.rejectFollow.to(actor.id, { requesterId }),
  (actor, { id: targetId }) => Account.block.to(actor.id, { targetId }),
  (actor, { id: targetId }) => Account.unblock.to(actor.id, { targetId }),
];

/** `known`: which remote followers the domain actors know, as `follower account`. */
function expectAgreement(people: People, everybody: readonly Person[], known: ReadonlySet<string>): void {
  people.expectSound();
  const ids = (some: readonly Person[]) => some.map(({ id }) => id).sort();
  const views = new Map(everybody.map((one) => [one, everybody.map((other) => people.relationship(one, other))]));
  for (const [index, one] of everybody.entries()) {
    const own = views.get(one)!;
    const followed = everybody.filter((_other, at) => own[at]!.follow?.state === 'accepted');
    const fans = everybody.filter((_other, at) => own[at]!.followedBy);
    for (const [at, other] of everybody.entries()) {
      const [mine, theirs] = [own[at]!, views.get(other)![index]!];
      const { followedBy, requestedBy, blockedBy } = theirs;
      const expected = {
        followedBy: mine.follow?.state === 'accepted',
        requestedBy: mine.follow?.state === 'requested',
        blockedBy: mine.blocking,
        followId: mine.follow?.id,
      };
      expectEqual({ followedBy, requestedBy, blockedBy, followId: people.followIdAt(other, one) }, expected);
      expectEqual(mine.blocking && mine.follow !== undefined, false, 'a follow of whoever is blocked');
    }
    const { following, followers } = people.accountCounters(one);
    expectEqual({ following, followers }, { following: followed.length, followers: fans.length });
    expectEqual(people.followedIds(one).sort(), ids(followed));
    expectEqual(people.followerIds(one).sort(), ids(fans));
    for (const fan of everybody.filter(({ destination }) => destination !== undefined))
      expectEqual(known.has(`${fan.id} ${one.id}`), fans.includes(fan));
  }
}

function play(seed: number): void {
  const random = createRandom(seed);
  const people = new People();
  const everybody = [
    people.local('alice'),
    people.local('bob', { locked: true }),
    people.local('carol'),
    people.local('dave', { locked: true }),
    people.remote('erin', 'remote.example'),
  ];
  const known = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    for (let act = 0; act < actsPerRound; act += 1) {
      const actor = everybody[random(everybody.length)]!;
      const other = everybody[random(everybody.length)]!;
      people.server.send(acts[random(acts.length)]!(actor, other));
    }
    people.server.settle();
    for (const { news, followerId, accountId } of people.takeDomainNews()) {
      if (news === 'followerGained') known.add(`${followerId} ${accountId}`);
      else known.delete(`${followerId} ${accountId}`);
    }
    expectAgreement(people, everybody, known);
  }
  expect(people.server.problems).toEqual([]);
}

test.each(fixedSeeds(20, 50))('both ends agree (seed %i)', play);

testFreshSeeds('both ends of follows', play, { seconds: 60 });
