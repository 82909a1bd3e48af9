/** Domain blocks of an account (specification 6.2: Reject to each follower there). */

import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { domainBlocksOf } from '../../../../src/actors/account/domain-blocks/domain-blocks.queries.ts';
import { blocksDomain } from '../../../../src/actors/account/relationships/blocked-domains.queries.ts';
import { relationshipLimits } from '../../../../src/actors/account/relationships/limits.ts';
import { hiddenAccountsChanged } from '../../../../src/actors/account/relationships/relationships.events.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';
import { storedNotifications } from '../../../support/stored-notifications.ts';

let people: People;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.remote('bob', 'there.test');
  carol = people.remote('carol', 'there.test');
  dave = people.remote('dave', 'elsewhere.test');
});

/** Their Follow arrives here. */
const followHere = (follower: Person) =>
  people.server.call(
    Account.follow.to(follower.id, { targetId: alice.id, options: {}, uri: `https://${follower.name}.test/follows/1` }),
  );
const blockThere = (followed: readonly Person[] = []) =>
  people.server.call(
    Account.blockDomain.to(alice.id, {
      domain: 'there.test',
      followed: followed.map(({ id: targetId, destination: targetDestination }) => ({ targetId, targetDestination })),
    }),
  );
const deliveries = () =>
  people
    .takeDeliveries()
    .map(({ intent, inboxes }) => [intent.kind, inboxes[0], 'followUri' in intent && intent.followUri]);

test('followers there are removed, with a Reject to each of them only', async () => {
  for (const follower of [bob, carol, dave]) await followHere(follower);
  people.takeDeliveries();
  await blockThere();
  expect(deliveries()).toEqual([
    ['rejectFollow', bob.destination!.inbox, 'https://bob.test/follows/1'],
    ['rejectFollow', carol.destination!.inbox, 'https://carol.test/follows/1'],
  ]);
  const followed = [bob, carol, dave].map((one) => people.relationship(alice, one).followedBy);
  expect(followed).toEqual([false, false, true]);
  expect(people.relationship(bob, alice).follow).toBeUndefined();
  expect(people.accountCounters(alice).followers).toBe(1);
});

test('requests from there are rejected as well', async () => {
  await people.server.call(Account.changeProfile.to(alice.id, { locked: true }));
  for (const follower of [bob, dave]) await followHere(follower);
  people.takeDeliveries();
  await blockThere();
  expect(deliveries()).toEqual([['rejectFollow', bob.destination!.inbox, 'https://bob.test/follows/1']]);
  expect([bob, dave].map((one) => people.relationship(alice, one).requestedBy)).toEqual([false, true]);
});

test('follows of accounts there end with an Undo', async () => {
  for (const target of [bob, dave]) await people.follow(alice, target);
  people.takeDeliveries();
  await blockThere([bob]);
  expect(deliveries().map(([kind]) => kind)).toEqual(['undoFollow']);
  expect([bob, dave].map((one) => people.relationship(alice, one).follow?.state)).toEqual([undefined, 'accepted']);
});

test('nobody there can follow, or be followed, until the domain is unblocked', async () => {
  await blockThere();
  people.takeDeliveries();
  expect(await followHere(bob)).toEqual({ state: 'refused' });
  expect(deliveries().map(([kind]) => kind)).toEqual(['rejectFollow']);
  await expect(people.follow(alice, bob)).rejects.toMatchObject({ code: 'forbidden' });
  await people.server.call(Account.unblockDomain.to(alice.id, { domain: 'there.test' }));
  expect(await followHere(bob)).toEqual({ state: 'accepted' });
  await people.follow(alice, bob);
});

test('blocked domains are listed once each, latest first, with an event for each change', async () => {
  people.server.forgetEvents();
  for (const domain of ['there.test', 'elsewhere.test', 'there.test'])
    await people.server.call(Account.blockDomain.to(alice.id, { domain, followed: [] }));
  const listed = () => domainBlocksOf(people.server.read, alice.id, { limit: 40 }).items;
  expect(listed()).toEqual(['elsewhere.test', 'there.test']);
  for (const domain of ['elsewhere.test', 'elsewhere.test', 'unknown.test'])
    await people.server.call(Account.unblockDomain.to(alice.id, { domain }));
  expect(listed()).toEqual(['there.test']);
  const domains = ['there.test', 'elsewhere.test', undefined];
  expect(domains.map((domain) => blocksDomain(people.server.read, alice.id, domain))).toEqual([true, false, false]);
  expect(people.server.events(hiddenAccountsChanged)).toEqual(
    Array.from({ length: 3 }, () => ({ accountId: alice.id })),
  );
});

/** What the account was told of the follows that ended. */
const severances = () =>
  storedNotifications(people.server.read, alice.id, {}, { limit: 40 }, (_id, { accountId, severance }) =>
    accountId === alice.id ? severance : undefined,
  ).items;

test('whoever loses follows by it is notified of how many, once', async () => {
  await blockThere();
  expect(severances()).toEqual([]);
  await people.server.call(Account.unblockDomain.to(alice.id, { domain: 'there.test' }));
  for (const follower of [bob, carol, dave]) await followHere(follower);
  for (const target of [bob, dave]) await people.follow(alice, target);
  await blockThere([bob]);
  await blockThere([bob]);
  const severance = { type: 'user_domain_block', targetName: 'there.test', followersCount: 2, followingCount: 1 };
  expect(severances()).toEqual([severance]);
});

test('edits by somebody there are not told', async () => {
  const post = await people.receive(bob, 'https://there.test/notes/1');
  await people.reblog(alice, post);
  const told = () => people.notificationsOf(alice).map(({ type }) => type);
  const edited = () => people.say(Account.tellRebloggers.to(bob.id, { statusId: post.id }));
  edited();
  expect(told()).toEqual(['update']);
  await blockThere();
  edited();
  expect(told()).toEqual(['update']);
});

test('follow requests that end do not count as lost follows', async () => {
  await people.server.call(Account.changeProfile.to(alice.id, { locked: true }));
  await followHere(bob);
  await blockThere();
  expect(severances()).toEqual([]);
});

test('many followers are removed in slices', async () => {
  const crowd: Person[] = [];
  for (let count = 0; count < relationshipLimits.severedPerTurn + 5; count += 1)
    crowd.push(people.remote(`fan${count}`, 'there.test'));
  for (const follower of [...crowd, dave]) await followHere(follower);
  people.takeDeliveries();
  await blockThere();
  expect(deliveries().filter(([kind]) => kind === 'rejectFollow')).toHaveLength(crowd.length);
  expect(people.accountCounters(alice).followers).toBe(1);
  expect(severances()).toMatchObject([{ followersCount: crowd.length, followingCount: 0 }]);
});
