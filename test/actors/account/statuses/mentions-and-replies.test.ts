import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { notified } from '../../../../src/actors/account/notifications/notifications.events.ts';
import { statusCounted, statusDetached } from '../../../../src/actors/account/statuses/statuses.events.ts';
import { replies } from '../../../../src/actors/account/statuses/statuses.state.ts';
import { Circle, type Post, publication } from '../../../support/circle.ts';
import type { Person } from '../../../support/observer.ts';

let circle: Circle;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  circle = new Circle();
  alice = await circle.local('alice', 0);
  bob = await circle.local('bob', 1);
});

const repliesTo = (post: Post) => circle.replyIds(post);

describe('a mention', () => {
  test.each(['public', 'unlisted', 'private', 'direct'] as const)('in a %s status is heard', async (visibility) => {
    const post = await circle.publish(alice, { visibility, mentions: [bob] });
    expect(circle.notificationsOf(bob)).toEqual([{ type: 'mention', fromId: alice.id, statusId: post.id }]);
    expect(circle.server.events(notified)).toMatchObject([{ accountId: bob.id, type: 'mention', fromId: alice.id }]);
  });

  test.each([
    ['bob blocks alice', (): Promise<void> => circle.block(bob, alice), 0],
    ['alice blocks bob', () => circle.block(alice, bob), 0],
    ['bob mutes alice with notifications', () => circle.mute(bob, alice, true), 0],
    ['bob mutes alice without notifications', () => circle.mute(bob, alice, false), 1],
    ['nothing stands between', () => Promise.resolve(), 1],
  ] as const)('when %s', async (_what, prepare, heard) => {
    await prepare();
    await circle.publish(alice, { mentions: [bob] });
    expect(circle.notificationsOf(bob)).toHaveLength(heard);
  });

  test('goes when the status is deleted', async () => {
    const kept = await circle.publish(alice, { mentions: [bob] });
    const post = await circle.publish(alice, { mentions: [bob] });
    await circle.remove(post);
    expect(circle.notificationsOf(bob).map(({ statusId }) => statusId)).toEqual([kept.id]);
  });
});

describe('a reply', () => {
  test('is counted and found until it is deleted', async () => {
    const post = await circle.publish(alice);
    circle.server.forgetEvents();
    const reply = await circle.publish(bob, { replyTo: post });
    expect(repliesTo(post)).toEqual([reply.id]);
    expect(circle.countersOf(post).replies).toBe(1);
    expect(circle.server.events(statusCounted)).toEqual([{ id: post.id }]);
    await circle.remove(reply);
    expect(repliesTo(post)).toEqual([]);
    expect(circle.countersOf(post).replies).toBe(0);
  });

  test('that is said twice counts once', async () => {
    const post = await circle.publish(alice);
    const said = { by: bob.id, statusId: post.id, replyId: 5n };
    for (let time = 0; time < 2; time += 1) circle.say(Account.repliedTo.to(alice.id, said));
    expect(circle.countersOf(post).replies).toBe(1);
    for (let time = 0; time < 2; time += 1) circle.say(Account.replyRemoved.to(alice.id, said));
    expect(circle.countersOf(post).replies).toBe(0);
  });

  test.each([
    ['public', 1],
    ['unlisted', 1],
    ['private', 0],
    ['direct', 0],
  ] as const)('that is %s is found, and %i are counted', async (visibility, counted) => {
    const post = await circle.publish(alice);
    const said = { by: bob.id, statusId: post.id, replyId: 5n, visibility };
    circle.say(Account.repliedTo.to(alice.id, said));
    expect(repliesTo(post)).toEqual([5n]);
    expect(circle.countersOf(post).replies).toBe(counted);
    circle.say(Account.replyRemoved.to(alice.id, said));
    expect(repliesTo(post)).toEqual([]);
    expect(circle.countersOf(post).replies).toBe(0);
  });

  test('to a status that is gone changes nothing', async () => {
    const post = await circle.publish(alice);
    await circle.remove(post);
    const { id: replyId } = await circle.publish(bob);
    circle.say(Account.repliedTo.to(alice.id, { by: bob.id, statusId: post.id, replyId }));
    expect(repliesTo(post)).toEqual([]);
    expect(circle.countersOf(post).replies).toBe(0);
    expect(circle.server.problems).toEqual([]);
  });
});

describe('a reply whose parent is deleted answers nothing, and still says whom it answered', () => {
  const expectDetached = (reply: Post) =>
    expect(circle.statusOf(reply)).toMatchObject({
      inReplyToId: undefined,
      inReplyToAccountId: alice.id,
    });

  test('in the state of whoever wrote it', async () => {
    const post = await circle.publish(alice);
    const carol = await circle.remote('carol', 'remote.test', 1);
    const answers = [
      await circle.publish(bob, { replyTo: post }),
      await circle.publish(alice, { replyTo: post }),
      await circle.receive(carol, 'https://remote.test/1', { replyTo: post }),
    ];
    const toBob = await circle.publish(alice, { replyTo: answers[0]! });
    circle.server.forgetEvents();
    await circle.remove(post);
    for (const reply of answers) expectDetached(reply);
    expect(circle.server.events(statusDetached)).toHaveLength(answers.length);
    expect(circle.statusOf(toBob)?.inReplyToId).toBe(answers[0]!.id);
  });

  test('where the deletion comes before the reply', async () => {
    const post = await circle.publish(alice);
    const late = publication({ replyTo: post });
    await circle.remove(post);
    const { statusId: id } = await circle.server.call(Account.publish.to(bob.id, late));
    circle.server.settle();
    expectDetached({ id, author: bob });
  });

  test('but where an earlier version did not note who wrote it', async () => {
    const post = await circle.publish(alice);
    const reply = await circle.publish(bob, { replyTo: post });
    circle.server.turn(Account.actor, alice.id, (turn) =>
      turn.put(replies, [post.id, reply.id], { authorId: undefined, isCounted: undefined }),
    );
    await circle.remove(post);
    expect(circle.statusOf(reply)?.inReplyToId).toBe(post.id);
    expect(circle.server.problems).toEqual([]);
  });
});
