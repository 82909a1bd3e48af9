import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { statusCounted, statusDetached } from '../../../../src/actors/account/statuses/statuses.events.ts';
import { replies } from '../../../../src/actors/account/statuses/statuses.state.ts';
import { type Post, publication } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
});

const repliesTo = (post: Post) => people.replyIds(post);

describe('a reply', () => {
  test('is counted and found until it is deleted', async () => {
    const post = await people.publish(alice);
    people.server.forgetEvents();
    const reply = await people.publish(bob, { replyTo: post });
    expect(repliesTo(post)).toEqual([reply.id]);
    expect(people.countersOf(post).replies).toBe(1);
    expect(people.server.events(statusCounted)).toEqual([{ id: post.id }]);
    await people.remove(reply);
    expect(repliesTo(post)).toEqual([]);
    expect(people.countersOf(post).replies).toBe(0);
  });

  test('that arrives twice counts once', async () => {
    const post = await people.publish(alice);
    const said = { by: bob.id, statusId: post.id, replyId: 5n };
    for (let time = 0; time < 2; time += 1) people.say(Account.repliedTo.to(alice.id, said));
    expect(people.countersOf(post).replies).toBe(1);
    for (let time = 0; time < 2; time += 1) people.say(Account.replyRemoved.to(alice.id, said));
    expect(people.countersOf(post).replies).toBe(0);
  });

  test.each([
    ['public', 1],
    ['unlisted', 1],
    ['private', 0],
    ['direct', 0],
  ] as const)('that is %s is found, and %i are counted', async (visibility, counted) => {
    const post = await people.publish(alice);
    const said = { by: bob.id, statusId: post.id, replyId: 5n, visibility };
    people.say(Account.repliedTo.to(alice.id, said));
    expect(repliesTo(post)).toEqual([5n]);
    expect(people.countersOf(post).replies).toBe(counted);
    people.say(Account.replyRemoved.to(alice.id, said));
    expect(repliesTo(post)).toEqual([]);
    expect(people.countersOf(post).replies).toBe(0);
  });

  test('to a status that is gone changes nothing', async () => {
    const post = await people.publish(alice);
    await people.remove(post);
    const { id: replyId } = await people.publish(bob);
    people.say(Account.repliedTo.to(alice.id, { by: bob.id, statusId: post.id, replyId }));
    expect(repliesTo(post)).toEqual([]);
    expect(people.countersOf(post).replies).toBe(0);
    expect(people.server.problems).toEqual([]);
  });
});

describe('a reply whose parent is deleted has no parent, and still names the account it replied to', () => {
  const expectDetached = (reply: Post) =>
    expect(people.statusOf(reply)).toMatchObject({
      inReplyToId: undefined,
      inReplyToAccountId: alice.id,
    });

  test('in the state of whoever wrote it', async () => {
    const post = await people.publish(alice);
    const carol = people.remote('carol', 'remote.test', { partition: 1 });
    const answers = [
      await people.publish(bob, { replyTo: post }),
      await people.publish(alice, { replyTo: post }),
      await people.receive(carol, 'https://remote.test/1', { replyTo: post }),
    ];
    const toBob = await people.publish(alice, { replyTo: answers[0]! });
    people.server.forgetEvents();
    await people.remove(post);
    for (const reply of answers) expectDetached(reply);
    expect(people.server.events(statusDetached)).toHaveLength(answers.length);
    expect(people.statusOf(toBob)?.inReplyToId).toBe(answers[0]!.id);
  });

  test('where the deletion comes before the reply', async () => {
    const post = await people.publish(alice);
    const late = publication({ replyTo: post });
    await people.remove(post);
    const { statusId: id } = await people.server.call(Account.publish.to(bob.id, late));
    people.server.settle();
    expectDetached({ id, author: bob });
  });

  test('but where an earlier version did not note who wrote it', async () => {
    const post = await people.publish(alice);
    const reply = await people.publish(bob, { replyTo: post });
    people.server.turn(Account.actor, alice.id, (turn) =>
      turn.put(replies, [post.id, reply.id], { authorId: undefined, isCounted: undefined }),
    );
    await people.remove(post);
    expect(people.statusOf(reply)?.inReplyToId).toBe(post.id);
    expect(people.server.problems).toEqual([]);
  });
});
