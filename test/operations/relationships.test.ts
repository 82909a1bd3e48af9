/** Answers of operations on relationships; their effects are tested in test/actors/account. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { blocksAnyDomain } from '../../src/actors/account/relationships/blocked-domains.queries.ts';
import { authorizeFollowRequest } from '../../src/operations/relationships/authorize-follow-request.ts';
import { blockAccount } from '../../src/operations/relationships/block-account.ts';
import { blockDomain, unblockDomain } from '../../src/operations/relationships/block-domain.ts';
import { followAccount } from '../../src/operations/relationships/follow-account.ts';
import { muteAccount } from '../../src/operations/relationships/mute-account.ts';
import { rejectFollowRequest } from '../../src/operations/relationships/reject-follow-request.ts';
import { removeFromFollowers } from '../../src/operations/relationships/remove-from-followers.ts';
import { unblockAccount } from '../../src/operations/relationships/unblock-account.ts';
import { unfollowAccount } from '../../src/operations/relationships/unfollow-account.ts';
import { unmuteAccount } from '../../src/operations/relationships/unmute-account.ts';
import type { Person } from '../support/observer.ts';
import { Callers } from './callers.ts';

const nobody: Person = { id: 1n, name: 'nobody', destination: undefined };

let callers: Callers;
let alice: Person;
let bob: Person;
let rita: Person;

beforeEach(() => {
  callers = new Callers();
  alice = callers.people.local('alice');
  bob = callers.people.local('bob', { locked: true });
  rita = callers.people.remote('rita', 'there.example');
});

const follow = (follower: Person, { id: accountId }: Person, languages?: string[]) =>
  followAccount(callers.as(follower), { accountId, options: { languages } });
const mute = (muter: Person, { id: accountId }: Person) =>
  muteAccount(callers.as(muter), { accountId, hideNotifications: true, durationSeconds: 0 });

describe('following', () => {
  test('answers the follow as the caller has it, and counts new ones only', async () => {
    expect(await follow(bob, alice)).toMatchObject({ relationship: { follow: { state: 'accepted' } }, isNew: true });
    expect(await follow(bob, alice)).toMatchObject({ isNew: false });
    expect(await follow(alice, bob)).toMatchObject({ relationship: { follow: { state: 'requested' } } });
    expect(callers.counted).toEqual(['follows', 'follows']);
  });

  test.each([
    ['not a language', ['no such'], 'Languages is invalid'],
    ['too many', Array.from({ length: 201 }, () => 'de'), 'Languages are too many'],
  ])('is refused with languages that are %s', async (_case, languages, message) => {
    await expect(follow(alice, bob, languages)).rejects.toMatchObject({ code: 'validation', message });
    expect(callers.counted).toEqual([]);
  });

  test('is forbidden by a block', async () => {
    await blockAccount(callers.as(alice), { accountId: bob.id });
    await expect(follow(bob, alice)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

test.each([
  ['block', blockAccount, unblockAccount, { blocking: true }, { blocking: false }],
  ['mute', { perform: mute }, unmuteAccount, { mute: { hideNotifications: true } }, { mute: undefined }],
] as const)('a %s is answered, and its end', async (_name, begin, end, during, after) => {
  const begun = 'perform' in begin ? begin.perform(alice, rita) : begin(callers.as(alice), { accountId: rita.id });
  expect(await begun).toMatchObject({ accountId: rita.id, ...during });
  expect(await end(callers.as(alice), { accountId: rita.id })).toMatchObject(after);
});

test('a request is let in, removed, refused', async () => {
  const asBob = callers.as(bob);
  const about = { accountId: alice.id };
  await follow(alice, bob);
  expect(await authorizeFollowRequest(asBob, about)).toMatchObject({ followedBy: true, requestedBy: false });
  expect(await removeFromFollowers(asBob, about)).toMatchObject({ followedBy: false });
  callers.people.server.settle();
  await follow(alice, bob);
  expect(await rejectFollowRequest(asBob, about)).toMatchObject({ followedBy: false, requestedBy: false });
  expect(() => rejectFollowRequest(asBob, about)).toThrow(expect.objectContaining({ code: 'notFound' }));
});

test('an end of a follow is answered', async () => {
  await follow(bob, alice);
  expect(await unfollowAccount(callers.as(bob), { accountId: alice.id })).toMatchObject({ follow: undefined });
});

test.each([
  ['follow', () => follow(alice, nobody)],
  ['mute', () => mute(alice, nobody)],
  ['unfollow', () => unfollowAccount(callers.as(alice), { accountId: nobody.id })],
])('%s names nobody', async (_name, ask) => {
  await expect(ask()).rejects.toMatchObject({ code: 'notFound' });
});

test('a blocked domain that counts as none any more can be unblocked', async () => {
  const domain = '*.there.example';
  await expect(blockDomain(callers.as(alice), { domain })).rejects.toMatchObject({ code: 'validation' });
  await expect(unblockDomain(callers.as(alice), { domain })).rejects.toMatchObject({ code: 'validation' });
  await callers.people.server.call(Account.blockDomain.to(alice.id, { domain, followed: [] }));
  await unblockDomain(callers.as(alice), { domain });
  expect(blocksAnyDomain(callers.services.snapshots, alice.id)).toBe(false);
});
