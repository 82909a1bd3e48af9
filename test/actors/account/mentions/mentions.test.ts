import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { notifiedStatusEdited, statusWithdrawn } from '../../../../src/actors/account/mentions/mentions.events.ts';
import { notified } from '../../../../src/actors/account/notifications/notifications.events.ts';
import { edit } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;
let bob: Person;

beforeEach(() => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
});

describe('a mention', () => {
  test.each(['public', 'unlisted', 'private', 'direct'] as const)('in a %s status notifies', async (visibility) => {
    const post = await people.publish(alice, { visibility, mentions: [bob] });
    expect(people.notificationsOf(bob)).toEqual([{ type: 'mention', fromId: alice.id, statusId: post.id }]);
    expect(people.server.events(notified)).toMatchObject([{ accountId: bob.id, type: 'mention', fromId: alice.id }]);
  });

  test.each([
    ['bob blocks alice', (): Promise<void> => people.block(bob, alice), 0],
    ['alice blocks bob', () => people.block(alice, bob), 0],
    ['bob mutes alice with notifications', () => people.mute(bob, alice), 0],
    ['bob mutes alice without notifications', () => people.mute(bob, alice, { notifications: false }), 1],
    ['nothing stands between', () => Promise.resolve(), 1],
  ] as const)('when %s', async (_what, prepare, heard) => {
    await prepare();
    await people.publish(alice, { mentions: [bob] });
    expect(people.notificationsOf(bob)).toHaveLength(heard);
  });

  test('goes when the status is deleted', async () => {
    const kept = await people.publish(alice, { mentions: [bob] });
    const post = await people.publish(alice, { mentions: [bob] });
    await people.remove(post);
    expect(people.notificationsOf(bob).map(({ statusId }) => statusId)).toEqual([kept.id]);
  });
});

describe('an account that was mentioned is told of an edit and of the deletion', () => {
  test.each<[string, () => unknown, number, number]>([
    ['by its notifications', () => undefined, 1, 1],
    ['but not where its home tells it', () => people.follow(bob, alice), 0, 0],
    [
      'but not of an edit that a followed tag tells',
      () => people.server.call(Account.followTag.to(bob.id, { name: 'cats' })),
      0,
      1,
    ],
  ])('%s', async (_where, prepare, edits, deletions) => {
    await prepare();
    const post = await people.publish(alice, { mentions: [bob], tags: ['cats'] });
    await people.server.call(edit(post, { text: 'changed', mentions: [bob], tags: ['cats'] }));
    people.server.settle();
    expect(people.server.events(notifiedStatusEdited)).toHaveLength(edits);
    await people.remove(post);
    expect(people.server.events(statusWithdrawn)).toHaveLength(deletions);
  });
});
