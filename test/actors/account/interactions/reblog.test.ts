import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { statusDeleted, statusPublished } from '../../../../src/actors/account/statuses/statuses.events.ts';
import type { Post } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
});

/** A reblog as each of its sides knows it. */
function sides(by: Person, post: Post) {
  return { ofStatus: people.rebloggerIds(post), byAccount: people.hasReblogged(by, post) };
}

const nothing = { ofStatus: [], byAccount: false };

describe.each([
  ['in the same partition', 0],
  ['in another partition', 1],
] as const)('a reblog by an account %s', (_where, side) => {
  let bob: Person;
  let post: Post;

  beforeEach(async () => {
    bob = people.local('bob', { partition: side });
    post = await people.publish(alice, { tags: ['cats'], language: 'de', withMedia: true });
    people.takeDeliveries();
  });

  test('is a status of its own that points to the original, known on both sides', async () => {
    people.server.forgetEvents();
    const reblog = await people.reblog(bob, post);
    expect(people.statusOf(reblog)).toMatchObject({
      accountId: bob.id,
      createdAt: people.server.clock.now(),
      visibility: 'public',
      content: '',
      reblogOfId: post.id,
      reblogOfAccountId: alice.id,
    });
    expect(sides(bob, post)).toEqual({ ofStatus: [bob.id], byAccount: true });
    expect(people.countersOf(post).reblogs).toBe(1);
    expect(people.notificationsOf(alice)).toEqual([{ type: 'reblog', fromId: bob.id, statusId: post.id }]);
    expect(people.accountCounters(bob).statuses).toBe(1);
    const facts = { id: reblog.id, accountId: bob.id, local: true, reblogOfId: post.id, reblogOfAccountId: alice.id };
    expect(people.server.events(statusPublished)).toMatchObject([
      { ...facts, hasMedia: true, language: 'de', tags: [] },
    ]);
  });

  test('is among the statuses of the account, and in no public or tag timeline', async () => {
    const reblog = await people.reblog(bob, post);
    expect(people.statusEntries(bob)).toMatchObject([
      { id: reblog.id, summary: { reblogOfId: post.id, reblogOfAccountId: alice.id } },
    ]);
    expect(people.publicEntries().map(({ id }) => id)).toEqual([post.id]);
    expect(people.taggedIds('cats')).toEqual([post.id]);
  });

  test('is made once: a second attempt answers the first reblog', async () => {
    const first = await people.reblog(bob, post);
    expect(await people.reblog(bob, post)).toEqual(first);
    expect(people.countersOf(post).reblogs).toBe(1);
    expect(people.notificationsOf(alice)).toHaveLength(1);
  });

  test('whose second word arrives behind a block is still known on both sides', async () => {
    const { id: reblogId } = await people.reblog(bob, post);
    await people.block(alice, bob);
    const before = sides(bob, post);
    people.server.callNow(Account.reblogged.to(alice.id, { statusId: post.id, by: bob.id, reblogId }));
    expect(sides(bob, post)).toEqual(before);
    people.expectSound();
  });

  test('is removed completely, however often that is repeated', async () => {
    const reblog = await people.reblog(bob, post);
    people.server.forgetEvents();
    await people.unreblog(bob, post);
    await people.unreblog(bob, post);
    expect(sides(bob, post)).toEqual(nothing);
    expect(people.statusOf(reblog)).toBeUndefined();
    expect(people.countersOf(post).reblogs).toBe(0);
    expect(people.notificationsOf(alice)).toEqual([]);
    expect(people.accountCounters(bob).statuses).toBe(0);
    expect(people.server.events(statusDeleted)).toMatchObject([{ id: reblog.id, reblogOfId: post.id }]);
    expect(people.server.problems).toEqual([]);
  });

  test('can be made anew after it was taken back', async () => {
    const first = await people.reblog(bob, post);
    await people.unreblog(bob, post);
    const second = await people.reblog(bob, post);
    expect(second.id).not.toBe(first.id);
    expect(people.countersOf(post).reblogs).toBe(1);
  });

  test('goes with the original', async () => {
    const reblog = await people.reblog(bob, post);
    await people.remove(post);
    expect(people.statusOf(reblog)).toBeUndefined();
    expect(sides(bob, post)).toEqual(nothing);
    await expect(people.reblog(bob, post)).rejects.toMatchObject({ code: 'notFound' });
    await people.unreblog(bob, post);
    expect(people.server.problems).toEqual([]);
  });

  test('of a status that is deleted before the reblog reaches its author is removed again', async () => {
    await people.remove(post);
    const body = { statusId: post.id, authorId: alice.id, visibility: 'public' as const, hasMedia: false };
    const { statusId } = await people.server.call(Account.reblogAllowed.to(bob.id, body));
    expect(people.statusOf({ id: statusId, author: bob })).toBeUndefined();
    expect(sides(bob, post)).toEqual(nothing);
  });
});

describe('what may be reblogged', () => {
  test.each([
    ['public', 'other', undefined, 'public'],
    ['unlisted', 'other', undefined, 'public'],
    ['unlisted', 'other', 'private', 'private'],
    ['public', 'other', 'direct', 'public'],
    ['private', 'other', undefined, undefined],
    ['private', 'author', 'public', 'private'],
    ['direct', 'other', undefined, undefined],
    ['direct', 'author', undefined, undefined],
  ] as const)('%s, by %s wishing %s: %s', async (visibility, who, wish, outcome) => {
    const bob = people.local('bob');
    await people.follow(bob, alice);
    const post = await people.publish(alice, { visibility, mentions: [bob] });
    const reblog = people.reblog(who === 'author' ? alice : bob, post, wish);
    if (outcome === undefined) await expect(reblog).rejects.toMatchObject({ code: 'notFound' });
    else expect(people.statusOf(await reblog)?.visibility).toBe(outcome);
  });

  test.each(['blocker', 'blocked'] as const)('nothing, as %s', async (role) => {
    const bob = people.local('bob');
    const post = await people.publish(alice);
    await (role === 'blocker' ? people.block(bob, alice) : people.block(alice, bob));
    await expect(people.reblog(bob, post)).rejects.toMatchObject({ code: 'notFound' });
  });
});

describe('with accounts of other servers', () => {
  test('a local reblog goes to followers and to the author of the original, and so does its end', async () => {
    const carol = people.remote('carol', 'there.test');
    const dave = people.remote('dave', 'elsewhere.test');
    const post = await people.receive(carol, 'https://there.test/1');
    await people.server.call(Account.follow.to(dave.id, { targetId: alice.id, options: {}, uri: 'https://x/1' }));
    people.takeDeliveries();
    const { id: reblogId } = await people.reblog(alice, post, 'unlisted');
    await people.reblog(alice, post);
    const statusUri = 'https://there.test/1';
    const intent = { actorId: alice.id, statusId: post.id, reblogId, authorId: carol.id, visibility: 'unlisted' };
    expect(spread(people)).toEqual({
      kinds: ['announce'],
      toFollowers: true,
      inboxes: ['https://there.test/users/carol/inbox'],
      intent: { ...intent, statusUri, kind: 'announce', activityId: reblogId },
    });
    await people.server.call(
      Account.unreblog.to(alice.id, { statusId: post.id, authorId: carol.id, authorDestination: carol.destination }),
    );
    expect(spread(people)).toMatchObject({
      kinds: ['undoAnnounce'],
      toFollowers: true,
      inboxes: ['https://there.test/users/carol/inbox'],
      intent,
    });
  });

  test('a local reblog that a block forestalls ends for the followers that heard of it', async () => {
    const dave = people.remote('dave', 'elsewhere.test');
    const bob = people.local('bob', { partition: 1 });
    const post = await people.publish(alice);
    await people.server.call(Account.follow.to(dave.id, { targetId: bob.id, options: {}, uri: 'https://x/1' }));
    await people.server.call(Account.block.to(alice.id, { targetId: bob.id }));
    people.takeDeliveries();
    // Alice had allowed it before she blocked.
    const allowed = { statusId: post.id, authorId: alice.id, visibility: 'public' as const, hasMedia: false };
    people.server.send(Account.reblogAllowed.to(bob.id, allowed));
    people.server.settle();
    expect(sides(bob, post)).toEqual(nothing);
    expect(people.statusEntries(bob)).toEqual([]);
    expect(people.takeDeliveries().map(({ intent }) => intent.kind)).toEqual(['announce', 'undoAnnounce']);
  });

  test('a received reblog is counted, heard and taken back, and delivers nothing', async () => {
    const carol = people.remote('carol', 'there.test');
    const post = await people.publish(alice);
    people.takeDeliveries();
    const original = { statusId: post.id, authorId: alice.id };
    const received = { ...original, uri: 'https://there.test/2', publishedAt: 0, visibility: 'public' as const };
    await people.server.call(Account.receiveReblog.to(carol.id, received));
    expect(people.countersOf(post).reblogs).toBe(1);
    expect(people.notificationsOf(alice)).toMatchObject([{ type: 'reblog', fromId: carol.id }]);
    await people.server.call(Account.receiveUndo.to(carol.id, { signedAt: 0, undone: { kind: 'boost', ...original } }));
    expect(people.countersOf(post).reblogs).toBe(0);
    expect(people.takeDeliveries()).toEqual([]);
  });

  test('a received reblog of a status that is not for everybody is dropped', async () => {
    const carol = people.remote('carol', 'there.test');
    const post = await people.publish(alice, { visibility: 'private' });
    const original = { statusId: post.id, authorId: alice.id };
    const received = { ...original, uri: 'https://there.test/2', publishedAt: 0, visibility: 'public' as const };
    await people.server.call(Account.receiveReblog.to(carol.id, received));
    expect(sides(carol, post)).toEqual(nothing);
    expect(people.countersOf(post).reblogs).toBe(0);
    expect(people.notificationsOf(alice)).toEqual([]);
  });
});

/** One intent may be handed to several partitions, each with its share of the audience. */
function spread(from: People) {
  const deliveries = from.takeDeliveries();
  return {
    kinds: [...new Set(deliveries.map(({ intent }) => intent.kind))],
    toFollowers: deliveries.some(({ toFollowers }) => toFollowers),
    inboxes: deliveries.flatMap(({ inboxes }) => inboxes),
    intent: deliveries[0]?.intent,
  };
}
