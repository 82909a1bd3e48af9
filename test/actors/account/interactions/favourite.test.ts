import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import {
  favouriteOf,
  favouriteOfStatusBy,
  favourites,
} from '../../../../src/actors/account/interactions/interactions.state.ts';
import { statusCounted } from '../../../../src/actors/account/statuses/statuses.events.ts';
import { type Post, unfavourite } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
});

/** A favourite as each of its sides knows it. */
function sides(by: Person, post: Post) {
  return {
    ofStatus: people.favouriterIds(post),
    ofAccount: people.favouriteIds(by),
    byAccount: people.hasFavourited(by, post),
  };
}

const nothing = { ofStatus: [], ofAccount: [], byAccount: false };

/** For tests that prepare what a lost or late word leaves behind. */
const favouriteIdOf = (by: Person, post: Post) =>
  people.server.turn(Account.actor, post.author.id, (turn) => turn.get(favouriteOfStatusBy, [post.id, by.id])!.id);

describe.each([
  ['in the same partition', 0],
  ['in another partition', 1],
] as const)('a favourite by an account %s', (_where, side) => {
  let bob: Person;
  let post: Post;

  beforeEach(async () => {
    bob = people.local('bob', { partition: side });
    post = await people.publish(alice);
    people.server.forgetEvents();
    people.takeDeliveries();
  });

  test('is stored on both sides, counted, and notified', async () => {
    await people.favourite(bob, post);
    expect(sides(bob, post)).toEqual({ ofStatus: [bob.id], ofAccount: [post.id], byAccount: true });
    expect(people.countersOf(post).favourites).toBe(1);
    expect(people.notificationsOf(alice)).toEqual([{ type: 'favourite', fromId: bob.id, statusId: post.id }]);
    expect(people.server.events(statusCounted)).toEqual([{ id: post.id }]);
    expect(people.takeDeliveries()).toEqual([]);
  });

  test('counts once however often it is repeated', async () => {
    await people.favourite(bob, post);
    const first = sides(bob, post);
    await people.favourite(bob, post);
    expect(sides(bob, post)).toEqual(first);
    expect(people.countersOf(post).favourites).toBe(1);
    expect(people.notificationsOf(alice)).toHaveLength(1);
  });

  test('is removed completely, however often that is repeated', async () => {
    await people.favourite(bob, post);
    await people.unfavourite(bob, post);
    await people.unfavourite(bob, post);
    expect(sides(bob, post)).toEqual(nothing);
    expect(people.countersOf(post).favourites).toBe(0);
    expect(people.notificationsOf(alice)).toEqual([]);
    expect(people.server.problems).toEqual([]);
  });

  test('removed before it was stored leaves nothing on either side', async () => {
    const { server } = people;
    server.send(Account.favourite.to(alice.id, { statusId: post.id, by: bob.id }));
    server.send(unfavourite(bob, post));
    server.settle();
    const { ofStatus, byAccount } = sides(bob, post);
    expect(ofStatus).toEqual(byAccount ? [bob.id] : []);
    expect(people.countersOf(post).favourites).toBe(ofStatus.length);
  });

  test('said again while it is taken back leaves nothing on either side, and a later one stays', async () => {
    const { server } = people;
    const again = Account.favourite.to(alice.id, { statusId: post.id, by: bob.id });
    await people.favourite(bob, post);
    server.send(again);
    server.send(unfavourite(bob, post));
    server.settle();
    expect(sides(bob, post)).toEqual(nothing);
    expect(people.countersOf(post).favourites).toBe(0);

    await people.favourite(bob, post);
    server.send(again);
    await server.callOnly(unfavourite(bob, post));
    await people.favourite(bob, post);
    expect(sides(bob, post)).toMatchObject({ ofStatus: [bob.id], byAccount: true });
    expect(people.countersOf(post).favourites).toBe(1);
    expect(people.server.problems).toEqual([]);
  });

  test('after the status is gone is refused, and undoing one is not', async () => {
    await people.favourite(bob, post);
    await people.remove(post);
    await expect(people.favourite(bob, post)).rejects.toMatchObject({ code: 'notFound' });
    await people.unfavourite(bob, post);
    expect(sides(bob, post)).toEqual(nothing);
    expect(people.server.problems).toEqual([]);
  });
});

test('an unfavourite that overtakes the confirmation of its favourite leaves nothing on either side', async () => {
  const bob = people.local('bob');
  const post = await people.publish(alice);
  await people.favourite(bob, post);
  // What bob's partition looks like when the author's word has not arrived yet.
  const id = favouriteIdOf(bob, post);
  people.server.turn(Account.actor, bob.id, (turn) => {
    turn.delete(favourites, [bob.id, id]);
    turn.delete(favouriteOf, [bob.id, post.id]);
    turn.tell(Account.unfavourited.to(alice.id, { statusId: post.id, by: bob.id }));
    turn.tell(Account.favouriteKept.to(bob.id, { statusId: post.id, authorId: alice.id, favouriteId: id }));
  });
  expect(sides(bob, post)).toEqual(nothing);
});

test('an own status can be favourited, without a notification', async () => {
  const post = await people.publish(alice, { visibility: 'direct' });
  await people.favourite(alice, post);
  expect(people.countersOf(post).favourites).toBe(1);
  expect(people.notificationsOf(alice)).toEqual([]);
});

describe('who may not see a status cannot favourite it', () => {
  test.each([
    ['private', false, false],
    ['private', true, true],
    ['direct', true, false],
    ['unlisted', false, true],
  ] as const)('%s, following: %s', async (visibility, follows, allowed) => {
    const bob = people.local('bob');
    if (follows) await people.follow(bob, alice);
    const post = await people.publish(alice, { visibility });
    const outcome = people.favourite(bob, post);
    if (allowed) await expect(outcome).resolves.toBeUndefined();
    else await expect(outcome).rejects.toMatchObject({ code: 'notFound' });
    expect(people.countersOf(post).favourites).toBe(allowed ? 1 : 0);
  });

  test('direct, but mentioned', async () => {
    const bob = people.local('bob');
    const post = await people.publish(alice, { visibility: 'direct', mentions: [bob] });
    await people.favourite(bob, post);
    expect(people.countersOf(post).favourites).toBe(1);
  });

  test.each(['blocker', 'blocked'] as const)('public, as %s', async (role) => {
    const bob = people.local('bob');
    const post = await people.publish(alice);
    await (role === 'blocker' ? people.block(bob, alice) : people.block(alice, bob));
    await expect(people.favourite(bob, post)).rejects.toMatchObject({ code: 'notFound' });
  });

  test('a reblog is no status to favourite: callers act on the original', async () => {
    const bob = people.local('bob');
    const reblog = await people.reblog(alice, await people.publish(bob));
    await expect(people.favourite(bob, reblog)).rejects.toMatchObject({ code: 'notFound' });
  });
});

describe('with accounts of other servers', () => {
  test('a local favourite of a remote status is delivered to its author, once, and so is its end', async () => {
    const carol = people.remote('carol', 'there.test');
    const post = await people.receive(carol, 'https://there.test/1');
    people.takeDeliveries();
    await people.favourite(alice, post);
    await people.favourite(alice, post);
    const favouriteId = favouriteIdOf(alice, post);
    const like = { kind: 'like', actorId: alice.id, statusId: post.id, favouriteId, authorId: carol.id };
    expect(people.takeDeliveries()).toEqual([
      {
        intent: { ...like, activityId: favouriteId, statusUri: 'https://there.test/1' },
        inboxes: ['https://there.test/users/carol/inbox'],
        toFollowers: false,
      },
    ]);
    await people.unfavourite(alice, post);
    await people.unfavourite(alice, post);
    expect(people.takeDeliveries()).toMatchObject([
      { intent: { kind: 'undoLike', favouriteId }, inboxes: ['https://there.test/users/carol/inbox'] },
    ]);
  });

  test('remote accounts are counted and heard, and never deliver', async () => {
    const carol = people.remote('carol', 'there.test');
    const dave = people.remote('dave', 'elsewhere.test');
    const post = await people.publish(alice);
    const theirs = await people.receive(dave, 'https://elsewhere.test/1');
    people.takeDeliveries();
    await people.favourite(carol, post);
    await people.favourite(carol, theirs);
    expect(people.notificationsOf(alice)).toMatchObject([{ type: 'favourite', fromId: carol.id }]);
    expect(people.notificationsOf(dave)).toEqual([]);
    await people.unfavourite(carol, post);
    await people.unfavourite(carol, theirs);
    expect([people.countersOf(post).favourites, people.countersOf(theirs).favourites]).toEqual([0, 0]);
    expect(people.takeDeliveries()).toEqual([]);
  });
});
