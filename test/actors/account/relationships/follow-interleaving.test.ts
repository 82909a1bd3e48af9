/**
 * Whatever five people do to each other at the same time, both ends of every follow agree once all messages have
 * arrived, and so do indexes, counters, reach and what the domain actor of the remote one knows. Seeded; a failure prints
 * its seed.
 */
import { expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { accountCounters } from '../../../../src/actors/account/profile/profile.state.ts';
import {
  blockedBy,
  blocks,
  followerDistributions,
  followers,
  followersByTime,
  following,
  followingByTime,
  followRequests,
} from '../../../../src/actors/account/relationships/relationships.state.ts';
import type { Envelope } from '../../../../src/runtime/contract.ts';
import type { Person } from '../observer.ts';
import { People } from '../people.ts';

const seeds = Array.from({ length: 100 }, (_, index) => index + 1);
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

function sum(counts: readonly number[] = []): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** `known`: which remote followers the domain actors know, as `follower account`. */
function expectAgreement(people: People, everybody: readonly Person[], known: ReadonlySet<string>): void {
  const { read } = people.server;
  for (const one of everybody) {
    const followed = everybody.filter((other) => read.get(following, [one.id, other.id])?.state === 'accepted');
    const fans = everybody.filter((other) => read.get(followers, [one.id, other.id]) !== undefined);
    for (const other of everybody) {
      const mine = read.get(following, [one.id, other.id]);
      const theirs = read.get(followers, [other.id, one.id]);
      const asked = read.get(followRequests, [other.id, one.id]);
      expect(theirs?.id).toBe(mine?.state === 'accepted' ? mine.id : undefined);
      expect(asked?.id).toBe(mine?.state === 'requested' ? mine.id : undefined);
      expect(theirs?.notify ?? asked?.notify).toBe(mine?.notify);
      const isBlocked = read.get(blocks, [one.id, other.id]) !== undefined;
      expect(read.get(blockedBy, [other.id, one.id]) !== undefined).toBe(isBlocked);
      if (isBlocked) expect(mine).toBeUndefined();
    }
    const counters = read.get(accountCounters, [one.id]);
    expect(counters?.following ?? 0).toBe(followed.length);
    expect(counters?.followers ?? 0).toBe(fans.length);
    expect([...read.range(followingByTime, [one.id])]).toHaveLength(followed.length);
    expect([...read.range(followersByTime, [one.id])]).toHaveLength(fans.length);
    const reach = read.get(followerDistributions, [one.id]);
    const isRemote = (person: Person) => person.destination !== undefined;
    expect(sum(reach?.local)).toBe(fans.filter((fan) => !isRemote(fan)).length);
    expect(sum(reach?.remote)).toBe(fans.filter(isRemote).length);
    for (const fan of everybody.filter(isRemote)) expect(known.has(`${fan.id} ${one.id}`)).toBe(fans.includes(fan));
  }
}

test.each(seeds)('both ends agree (seed %i)', (seed) => {
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
});
