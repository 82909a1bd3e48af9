import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { statusDeleted, statusPublished } from '../../../../src/actors/account/statuses/statuses.events.ts';
import { Circle, type Post } from '../../../support/circle.ts';
import type { Person } from '../../../support/observer.ts';

let circle: Circle;
let alice: Person;

beforeEach(async () => {
  circle = new Circle();
  alice = await circle.local('alice', 0);
});

/** A reblog as each of its sides knows it. */
function sides(by: Person, post: Post) {
  return { ofStatus: circle.rebloggerIds(post), byAccount: circle.hasReblogged(by, post) };
}

const nothing = { ofStatus: [], byAccount: false };

describe.each([
  ['in the same partition', 0],
  ['in another partition', 1],
] as const)('a reblog by an account %s', (_where, side) => {
  let bob: Person;
  let post: Post;

  beforeEach(async () => {
    bob = await circle.local('bob', side);
    post = await circle.publish(alice, { tags: ['cats'], language: 'de', withMedia: true });
    circle.takeDeliveries();
  });

  test('is a status of its own that points to the original, known on both sides', async () => {
    circle.server.forgetEvents();
    const reblog = await circle.reblog(bob, post);
    expect(circle.statusOf(reblog)).toMatchObject({
      accountId: bob.id,
      createdAt: circle.server.clock.now(),
      visibility: 'public',
      content: '',
      reblogOfId: post.id,
      reblogOfAccountId: alice.id,
    });
    expect(sides(bob, post)).toEqual({ ofStatus: [bob.id], byAccount: true });
    expect(circle.countersOf(post).reblogs).toBe(1);
    expect(circle.notificationsOf(alice)).toEqual([{ type: 'reblog', fromId: bob.id, statusId: post.id }]);
    expect(circle.accountCounters(bob).statuses).toBe(1);
    const facts = { id: reblog.id, accountId: bob.id, local: true, reblogOfId: post.id, reblogOfAccountId: alice.id };
    expect(circle.server.events(statusPublished)).toMatchObject([
      { ...facts, hasMedia: true, language: 'de', tags: [] },
    ]);
  });

  test('stands among the statuses of the account and in no public or tag timeline', async () => {
    const reblog = await circle.reblog(bob, post);
    expect(circle.statusEntries(bob)).toMatchObject([
      { id: reblog.id, summary: { reblogOfId: post.id, reblogOfAccountId: alice.id } },
    ]);
    expect(circle.publicEntries().map(({ id }) => id)).toEqual([post.id]);
    expect(circle.taggedIds('cats')).toEqual([post.id]);
  });

  test('is made once: the second time answers the first', async () => {
    const first = await circle.reblog(bob, post);
    expect(await circle.reblog(bob, post)).toEqual(first);
    expect(circle.countersOf(post).reblogs).toBe(1);
    expect(circle.notificationsOf(alice)).toHaveLength(1);
  });

  test('is taken back whole, as often as it is said', async () => {
    const reblog = await circle.reblog(bob, post);
    circle.server.forgetEvents();
    await circle.unreblog(bob, post);
    await circle.unreblog(bob, post);
    expect(sides(bob, post)).toEqual(nothing);
    expect(circle.statusOf(reblog)).toBeUndefined();
    expect(circle.countersOf(post).reblogs).toBe(0);
    expect(circle.notificationsOf(alice)).toEqual([]);
    expect(circle.accountCounters(bob).statuses).toBe(0);
    expect(circle.server.events(statusDeleted)).toMatchObject([{ id: reblog.id, reblogOfId: post.id }]);
    expect(circle.server.problems).toEqual([]);
  });

  test('can be made anew after it was taken back', async () => {
    const first = await circle.reblog(bob, post);
    await circle.unreblog(bob, post);
    const second = await circle.reblog(bob, post);
    expect(second.id).not.toBe(first.id);
    expect(circle.countersOf(post).reblogs).toBe(1);
  });

  test('goes with the original', async () => {
    const reblog = await circle.reblog(bob, post);
    await circle.remove(post);
    expect(circle.statusOf(reblog)).toBeUndefined();
    expect(sides(bob, post)).toEqual(nothing);
    await expect(circle.reblog(bob, post)).rejects.toMatchObject({ code: 'notFound' });
    await circle.unreblog(bob, post);
    expect(circle.server.problems).toEqual([]);
  });

  test('of a status that is gone by the time the author hears of it is removed again', async () => {
    await circle.remove(post);
    const body = { statusId: post.id, authorId: alice.id, visibility: 'public' as const, hasMedia: false };
    const { statusId } = await circle.server.call(Account.reblogAllowed.to(bob.id, body));
    expect(circle.statusOf({ id: statusId, author: bob })).toBeUndefined();
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
    const bob = await circle.local('bob', 1);
    await circle.follow(bob, alice);
    const post = await circle.publish(alice, { visibility, mentions: [bob] });
    const reblog = circle.reblog(who === 'author' ? alice : bob, post, wish);
    if (outcome === undefined) await expect(reblog).rejects.toMatchObject({ code: 'notFound' });
    else expect(circle.statusOf(await reblog)?.visibility).toBe(outcome);
  });

  test.each(['blocker', 'blocked'] as const)('nothing, as %s', async (role) => {
    const bob = await circle.local('bob', 1);
    const post = await circle.publish(alice);
    await (role === 'blocker' ? circle.block(bob, alice) : circle.block(alice, bob));
    await expect(circle.reblog(bob, post)).rejects.toMatchObject({ code: 'notFound' });
  });
});

describe('with accounts of other servers', () => {
  test('a local reblog goes to followers and to the author of the original, and so does its end', async () => {
    const carol = await circle.remote('carol', 'there.test', 1);
    const dave = await circle.remote('dave', 'elsewhere.test', 0);
    const post = await circle.receive(carol, 'https://there.test/1');
    await circle.server.call(Account.follow.to(dave.id, { targetId: alice.id, options: {}, uri: 'https://x/1' }));
    circle.takeDeliveries();
    const { id: reblogId } = await circle.reblog(alice, post, 'unlisted');
    await circle.reblog(alice, post);
    const statusUri = 'https://there.test/1';
    const intent = { actorId: alice.id, statusId: post.id, reblogId, authorId: carol.id, visibility: 'unlisted' };
    expect(spread(circle)).toEqual({
      kinds: ['announce'],
      toFollowers: true,
      inboxes: ['https://there.test/users/carol/inbox'],
      intent: { ...intent, statusUri, kind: 'announce', activityId: reblogId },
    });
    await circle.server.call(
      Account.unreblog.to(alice.id, { statusId: post.id, authorId: carol.id, authorDestination: carol.destination }),
    );
    expect(spread(circle)).toMatchObject({
      kinds: ['undoAnnounce'],
      toFollowers: true,
      inboxes: ['https://there.test/users/carol/inbox'],
      intent,
    });
  });

  test('a received reblog is counted, heard and taken back, and delivers nothing', async () => {
    const carol = await circle.remote('carol', 'there.test', 1);
    const post = await circle.publish(alice);
    circle.takeDeliveries();
    const original = { statusId: post.id, authorId: alice.id };
    const received = { ...original, uri: 'https://there.test/2', publishedAt: 0, visibility: 'public' as const };
    await circle.server.call(Account.receiveReblog.to(carol.id, received));
    expect(circle.countersOf(post).reblogs).toBe(1);
    expect(circle.notificationsOf(alice)).toMatchObject([{ type: 'reblog', fromId: carol.id }]);
    await circle.server.call(Account.receiveUndo.to(carol.id, { signedAt: 0, undone: { kind: 'boost', ...original } }));
    expect(circle.countersOf(post).reblogs).toBe(0);
    expect(circle.takeDeliveries()).toEqual([]);
  });

  test('a received reblog of a status that is not for everybody is dropped', async () => {
    const carol = await circle.remote('carol', 'there.test', 1);
    const post = await circle.publish(alice, { visibility: 'private' });
    const original = { statusId: post.id, authorId: alice.id };
    const received = { ...original, uri: 'https://there.test/2', publishedAt: 0, visibility: 'public' as const };
    await circle.server.call(Account.receiveReblog.to(carol.id, received));
    expect(sides(carol, post)).toEqual(nothing);
    expect(circle.countersOf(post).reblogs).toBe(0);
    expect(circle.notificationsOf(alice)).toEqual([]);
  });
});

/** One intent may be handed to several partitions, each with its share of the audience. */
function spread(from: Circle) {
  const deliveries = from.takeDeliveries();
  return {
    kinds: [...new Set(deliveries.map(({ intent }) => intent.kind))],
    toFollowers: deliveries.some(({ toFollowers }) => toFollowers),
    inboxes: deliveries.flatMap(({ inboxes }) => inboxes),
    intent: deliveries[0]?.intent,
  };
}
