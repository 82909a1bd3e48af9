import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import {
  favouriteOf,
  favouriteOfStatusBy,
  favourites,
} from '../../../../src/actors/account/interactions/interactions.state.ts';
import { statusCounted } from '../../../../src/actors/account/statuses/statuses.events.ts';
import { Circle, original, type Post } from '../../../support/circle.ts';
import type { Person } from '../../../support/observer.ts';

let circle: Circle;
let alice: Person;

beforeEach(async () => {
  circle = new Circle();
  alice = await circle.local('alice', 0);
});

/** A favourite as each of its sides knows it. */
function sides(by: Person, post: Post) {
  return {
    ofStatus: circle.favouriterIds(post),
    ofAccount: circle.favouriteIds(by),
    byAccount: circle.hasFavourited(by, post),
  };
}

const nothing = { ofStatus: [], ofAccount: [], byAccount: false };

/** For tests that prepare what a lost or late word leaves behind. */
const favouriteIdOf = (by: Person, post: Post) =>
  circle.server.turn(Account.actor, post.author.id, (turn) => turn.get(favouriteOfStatusBy, [post.id, by.id])!.id);

describe.each([
  ['in the same partition', 0],
  ['in another partition', 1],
] as const)('a favourite by an account %s', (_where, side) => {
  let bob: Person;
  let post: Post;

  beforeEach(async () => {
    bob = await circle.local('bob', side);
    post = await circle.publish(alice);
    circle.server.forgetEvents();
    circle.takeDeliveries();
  });

  test('is kept on both sides, counted and told', async () => {
    await circle.favourite(bob, post);
    expect(sides(bob, post)).toEqual({ ofStatus: [bob.id], ofAccount: [post.id], byAccount: true });
    expect(circle.countersOf(post).favourites).toBe(1);
    expect(circle.notificationsOf(alice)).toEqual([{ type: 'favourite', fromId: bob.id, statusId: post.id }]);
    expect(circle.server.events(statusCounted)).toEqual([{ id: post.id }]);
    expect(circle.takeDeliveries()).toEqual([]);
  });

  test('counts once however often it is said', async () => {
    await circle.favourite(bob, post);
    const first = sides(bob, post);
    await circle.favourite(bob, post);
    expect(sides(bob, post)).toEqual(first);
    expect(circle.countersOf(post).favourites).toBe(1);
    expect(circle.notificationsOf(alice)).toHaveLength(1);
  });

  test('is taken back whole, as often as it is said', async () => {
    await circle.favourite(bob, post);
    await circle.unfavourite(bob, post);
    await circle.unfavourite(bob, post);
    expect(sides(bob, post)).toEqual(nothing);
    expect(circle.countersOf(post).favourites).toBe(0);
    expect(circle.notificationsOf(alice)).toEqual([]);
    expect(circle.server.problems).toEqual([]);
  });

  test('taken back before it was kept leaves nothing on either side', async () => {
    const { server } = circle;
    server.send(Account.favourite.to(alice.id, { statusId: post.id, by: bob.id }));
    server.send(Account.unfavourite.to(bob.id, original(post)));
    server.settle();
    const { ofStatus, byAccount } = sides(bob, post);
    expect(ofStatus).toEqual(byAccount ? [bob.id] : []);
    expect(circle.countersOf(post).favourites).toBe(ofStatus.length);
  });

  test('after the status is gone is refused, and undoing one is not', async () => {
    await circle.favourite(bob, post);
    await circle.remove(post);
    await expect(circle.favourite(bob, post)).rejects.toMatchObject({ code: 'notFound' });
    await circle.unfavourite(bob, post);
    expect(sides(bob, post)).toEqual(nothing);
    expect(circle.server.problems).toEqual([]);
  });
});

test('the order in which the author hears first is repaired', async () => {
  const bob = await circle.local('bob', 1);
  const post = await circle.publish(alice);
  await circle.favourite(bob, post);
  // What bob's partition looks like when the author's word has not arrived yet.
  const id = favouriteIdOf(bob, post);
  circle.server.turn(Account.actor, bob.id, (turn) => {
    turn.delete(favourites, [bob.id, id]);
    turn.delete(favouriteOf, [bob.id, post.id]);
    turn.tell(Account.unfavourited.to(alice.id, { statusId: post.id, by: bob.id }));
    turn.tell(Account.favouriteKept.to(bob.id, { statusId: post.id, authorId: alice.id, favouriteId: id }));
  });
  expect(sides(bob, post)).toEqual(nothing);
});

test('an own status can be favourited, without a notification', async () => {
  const post = await circle.publish(alice, { visibility: 'direct' });
  await circle.favourite(alice, post);
  expect(circle.countersOf(post).favourites).toBe(1);
  expect(circle.notificationsOf(alice)).toEqual([]);
});

describe('who may not see a status cannot favourite it', () => {
  test.each([
    ['private', false, false],
    ['private', true, true],
    ['direct', true, false],
    ['unlisted', false, true],
  ] as const)('%s, following: %s', async (visibility, follows, allowed) => {
    const bob = await circle.local('bob', 1);
    if (follows) await circle.follow(bob, alice);
    const post = await circle.publish(alice, { visibility });
    const outcome = circle.favourite(bob, post);
    if (allowed) await expect(outcome).resolves.toBeUndefined();
    else await expect(outcome).rejects.toMatchObject({ code: 'notFound' });
    expect(circle.countersOf(post).favourites).toBe(allowed ? 1 : 0);
  });

  test('direct, but mentioned', async () => {
    const bob = await circle.local('bob', 1);
    const post = await circle.publish(alice, { visibility: 'direct', mentions: [bob] });
    await circle.favourite(bob, post);
    expect(circle.countersOf(post).favourites).toBe(1);
  });

  test.each(['blocker', 'blocked'] as const)('public, as %s', async (role) => {
    const bob = await circle.local('bob', 1);
    const post = await circle.publish(alice);
    await (role === 'blocker' ? circle.block(bob, alice) : circle.block(alice, bob));
    await expect(circle.favourite(bob, post)).rejects.toMatchObject({ code: 'notFound' });
  });

  test('a reblog is no status to favourite: callers act on the original', async () => {
    const bob = await circle.local('bob', 1);
    const reblog = await circle.reblog(alice, await circle.publish(bob));
    await expect(circle.favourite(bob, reblog)).rejects.toMatchObject({ code: 'notFound' });
  });
});

describe('with accounts of other servers', () => {
  test('a local favourite of a remote status is delivered to its author, once, and so is its end', async () => {
    const carol = await circle.remote('carol', 'there.test', 1);
    const post = await circle.receive(carol, 'https://there.test/1');
    circle.takeDeliveries();
    await circle.favourite(alice, post);
    await circle.favourite(alice, post);
    const favouriteId = favouriteIdOf(alice, post);
    const like = { kind: 'like', actorId: alice.id, statusId: post.id, favouriteId, authorId: carol.id };
    expect(circle.takeDeliveries()).toEqual([
      {
        intent: { ...like, activityId: favouriteId, statusUri: 'https://there.test/1' },
        inboxes: ['https://there.test/users/carol/inbox'],
        toFollowers: false,
      },
    ]);
    await circle.unfavourite(alice, post);
    await circle.unfavourite(alice, post);
    expect(circle.takeDeliveries()).toMatchObject([
      { intent: { kind: 'undoLike', favouriteId }, inboxes: ['https://there.test/users/carol/inbox'] },
    ]);
  });

  test('remote accounts are counted and heard, and never deliver', async () => {
    const carol = await circle.remote('carol', 'there.test', 1);
    const dave = await circle.remote('dave', 'elsewhere.test', 0);
    const post = await circle.publish(alice);
    const theirs = await circle.receive(dave, 'https://elsewhere.test/1');
    circle.takeDeliveries();
    await circle.favourite(carol, post);
    await circle.favourite(carol, theirs);
    expect(circle.notificationsOf(alice)).toMatchObject([{ type: 'favourite', fromId: carol.id }]);
    expect(circle.notificationsOf(dave)).toEqual([]);
    await circle.unfavourite(carol, post);
    await circle.unfavourite(carol, theirs);
    expect([circle.countersOf(post).favourites, circle.countersOf(theirs).favourites]).toEqual([0, 0]);
    expect(circle.takeDeliveries()).toEqual([]);
  });
});
