import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { findConversation } from '../../../../src/actors/account/conversations/conversations.queries.ts';
import { countNotifications } from '../../../../src/actors/account/notifications/count.ts';
import { notificationsMerged } from '../../../../src/actors/account/notifications/notification-requests.events.ts';
import {
  chooseNotificationRequests,
  isMerged,
} from '../../../../src/actors/account/notifications/notification-requests.queries.ts';
import {
  filteredBySender,
  filteredNotifications,
} from '../../../../src/actors/account/notifications/notification-requests.state.ts';
import { notified } from '../../../../src/actors/account/notifications/notifications.events.ts';
import type { NotificationChoice } from '../../../../src/actors/account/notifications/notifications.queries.ts';
import { addNotification } from '../../../../src/actors/account/notifications/notify.ts';
import { dismissSender } from '../../../../src/actors/account/notifications/settle-requests.ts';
import type { NotificationPolicy } from '../../../../src/actors/policy/notification-policy.ts';
import type { EventType } from '../../../../src/runtime/events/event.ts';
import type { Post } from '../../../support/acts.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';
import { storedNotifications } from '../../../support/stored-notifications.ts';

const day = 24 * 60 * 60 * 1_000;
let people: People;
let alice: Person;
let bob: Person;
let carol: Person;
let post: Post;

/** Everybody has been here for long. */
beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  bob = people.local('bob');
  carol = people.local('carol');
  people.server.clock.advance(60 * day);
  post = await people.publish(alice);
});

const choose = (policy: Partial<NotificationPolicy>, person = alice) =>
  people.server.call(Account.changeNotificationPolicy.to(person.id, policy));

/** Newest first; those that are filtered in brackets. */
const types = (choice: NotificationChoice = {}) => {
  people.expectSound();
  const found: string[] = [];
  let maxId: bigint | undefined;
  do {
    const page = storedNotifications(
      people.server.read,
      alice.id,
      choice,
      { limit: 400, maxId },
      (_id, { type }, isFiltered) => (isFiltered ? `(${type})` : type),
    );
    found.push(...page.items);
    maxId = page.full ? page.oldest : undefined;
  } while (maxId !== undefined);
  return found;
};
const everything = () => types({ includeFiltered: true });
const requests = () =>
  chooseNotificationRequests(people.server.read, alice.id, { limit: 40 }, (id, request) => ({ id, ...request })).items;
const settle = (isAccepted: boolean, requestIds = requests().map(({ id }) => id)) =>
  people.server.call(Account.settleNotificationRequests.to(alice.id, { requestIds, isAccepted }));
const toldOf = <Body>(type: EventType<Body>) => people.server.events(type).length;

/** What bob does that concerns alice. */
const acts: Readonly<Record<string, () => Promise<unknown>>> = {
  mention: () => people.publish(bob, { mentions: [alice] }),
  'private mention': () => people.publish(bob, { mentions: [alice], visibility: 'direct' }),
  favourite: () => people.favourite(bob, post),
  reblog: () => people.reblog(bob, post),
  follow: () => people.follow(bob, alice),
};

const aged = (days: number) => async () => void people.server.clock.advance(days * day);
const newcomer = async () => {
  bob = people.local('bea');
};
const limited = async () => people.moderate(bob, { limited: true });
const automated = async () => people.change(bob, { bot: true });
const appointed = () => people.server.call(Account.changeLogin.to(bob.id, { role: 'moderator' }));

describe('the rule', () => {
  test.each<
    [rule: keyof NotificationPolicy, who: string, before: (() => Promise<unknown>)[], act: string, is: boolean]
  >([
    ['forNotFollowing', 'a stranger', [], 'mention', true],
    ['forNotFollowing', 'a stranger', [], 'favourite', true],
    ['forNotFollowing', 'a stranger', [], 'reblog', true],
    ['forNotFollowing', 'a stranger', [], 'follow', true],
    ['forNotFollowing', 'somebody followed', [() => people.follow(alice, bob)], 'mention', false],
    ['forNotFollowers', 'a stranger', [], 'mention', true],
    ['forNotFollowers', 'a follower of 2 days', [() => people.follow(bob, alice), aged(2)], 'mention', true],
    ['forNotFollowers', 'a follower of 4 days', [() => people.follow(bob, alice), aged(4)], 'mention', false],
    ['forNotFollowers', 'somebody followed', [() => people.follow(alice, bob)], 'mention', true],
    ['forNewAccounts', 'an account of 60 days', [], 'mention', false],
    ['forNewAccounts', 'an account of today', [newcomer], 'mention', true],
    ['forNewAccounts', 'an account of today', [newcomer], 'favourite', true],
    ['forNewAccounts', 'an account of today', [newcomer], 'reblog', true],
    ['forNewAccounts', 'an account of today', [newcomer], 'follow', true],
    ['forNewAccounts', 'an account of 29 days', [newcomer, aged(29)], 'mention', true],
    ['forNewAccounts', 'an account of 31 days', [newcomer, aged(31)], 'mention', false],
    ['forNewAccounts', 'a new account that is followed', [newcomer, () => people.follow(alice, bob)], 'mention', false],
    ['forPrivateMentions', 'a stranger', [], 'mention', false],
    ['forPrivateMentions', 'a stranger', [], 'private mention', true],
    ['forPrivateMentions', 'somebody followed', [() => people.follow(alice, bob)], 'private mention', false],
    ['forLimitedAccounts', 'a stranger', [], 'mention', false],
    ['forLimitedAccounts', 'a limited account', [limited], 'mention', true],
    ['forLimitedAccounts', 'a limited account', [limited], 'follow', true],
    [
      'forLimitedAccounts',
      'a limited account that is followed',
      [limited, () => people.follow(alice, bob)],
      'mention',
      false,
    ],
    ['forBots', 'a stranger', [], 'mention', false],
    ['forBots', 'a bot', [automated], 'mention', true],
    ['forBots', 'a bot that is followed', [automated, () => people.follow(alice, bob)], 'mention', false],
    ['forNotFollowing', 'a moderator', [appointed], 'mention', false],
    ['forNotFollowing', 'a moderator', [appointed], 'favourite', true],
  ])('%s, of %s: %#', async (rule, _who, before, act, is) => {
    for (const one of before) await one();
    const others = types();
    const type = act.replace('private ', '');
    await choose({ forLimitedAccounts: 'accept', [rule]: 'drop' });
    if (is) await acts[act]!();
    expect(everything()).toEqual(others);
    for (const undo of [() => people.unfavourite(bob, post), () => people.unreblog(bob, post)]) await undo();
    if (act === 'follow') await people.unfollow(bob, alice);
    await choose({ [rule]: 'filter' });
    await acts[act]!();
    expect(types()).toEqual(is ? others : [type, ...others]);
    expect(everything()).toEqual([is ? `(${type})` : type, ...others]);
  });

  test('never filters what the account asked for: new posts, polls, edits', async () => {
    await choose({ forNotFollowing: 'drop', forNotFollowers: 'drop' });
    for (const type of ['status', 'poll', 'update'] as const)
      people.say(Account.notify.to(alice.id, { type, fromId: bob.id, statusId: post.id }));
    expect(types()).toEqual(['update', 'poll', 'status']);
  });

  test('that drops wins over one that filters, whichever comes first', async () => {
    await choose({ forNotFollowing: 'filter', forNotFollowers: 'drop' });
    await acts.mention!();
    await choose({ forNotFollowing: 'drop', forNotFollowers: 'filter' });
    await acts.favourite!();
    expect(everything()).toEqual([]);
    await choose({ forNotFollowing: 'accept' });
    await acts.reblog!();
    expect(everything()).toEqual(['(reblog)']);
  });

  test('of private mentions lets answers to own messages through, in the whole thread', async () => {
    await choose({ forPrivateMentions: 'drop' });
    const toBob = await people.publish(alice, { mentions: [bob], visibility: 'direct' });
    const answer = (replyTo: Post, by = bob) =>
      people.publish(by, { mentions: [alice], visibility: 'direct', replyTo });
    const first = await answer(toBob);
    await answer(first);
    expect(types()).toEqual(['mention', 'mention']);
    await answer(first, carol);
    await people.publish(bob, { mentions: [alice], visibility: 'direct', replyTo: post });
    expect(everything()).toEqual(['mention', 'mention']);
  });

  test('of private mentions knows an answer when the conversation was removed', async () => {
    await choose({ forPrivateMentions: 'drop' });
    const toBob = await people.publish(alice, { mentions: [bob], visibility: 'direct' });
    await people.server.call(Account.removeConversation.to(alice.id, { threadId: toBob.id }));
    await people.publish(bob, { mentions: [alice], visibility: 'direct', replyTo: toBob });
    expect(types()).toEqual(['mention']);
  });
});

describe('the policy knows what a remote account is when it acts by', () => {
  const at = 'https://there.test/1';
  const about = (signedAt: number) => ({ statusId: post.id, authorId: alice.id, uri: at, signedAt });

  test.each<[string, (dora: Person, now: number) => Promise<unknown>]>([
    ['mention', (dora) => people.receive(dora, at, { mentions: [alice] })],
    ['favourite', (dora, now) => people.server.call(Account.receiveLike.to(dora.id, about(now)))],
    [
      'reblog',
      (dora, now) =>
        people.server.call(
          Account.receiveReblog.to(dora.id, { ...about(now), publishedAt: now, visibility: 'public' }),
        ),
    ],
    [
      'follow',
      (dora, now) =>
        people.server.call(Account.receiveFollow.to(dora.id, { targetId: alice.id, uri: at, signedAt: now })),
    ],
  ])('a %s', async (type, act) => {
    const dora = people.remote('dora', 'there.test', { bot: true });
    bob = dora;
    await choose({ forBots: 'filter' });
    await act(dora, people.server.clock.now());
    expect(everything()).toEqual([`(${type})`]);
  });
});

describe('without a choice', () => {
  test('everything is accepted except from limited accounts', async () => {
    await newcomer();
    for (const act of Object.values(acts)) await act();
    expect(everything().sort()).toEqual(['favourite', 'follow', 'mention', 'mention', 'reblog']);
    await limited();
    await acts.mention!();
    expect(everything()[0]).toBe('(mention)');
  });
});

describe('what is filtered', () => {
  beforeEach(() => choose({ forNotFollowing: 'filter' }));

  test('is not announced, and mentions make a request that counts them', async () => {
    await acts.favourite!();
    expect(requests()).toEqual([]);
    await acts.mention!();
    const [first] = requests();
    people.server.clock.advance(day);
    const last = await people.publish(bob, { mentions: [alice] });
    const now = people.server.clock.now();
    expect(requests()).toEqual([{ id: first!.id, fromId: bob.id, mentions: 2, lastStatusId: last.id, updatedAt: now }]);
    expect(types()).toEqual([]);
    expect(types({ fromId: bob.id })).toEqual(['(mention)', '(mention)', '(favourite)']);
    expect(types({ fromId: carol.id })).toEqual([]);
    expect(toldOf(notified)).toBe(0);
  });

  test('may be a quote from a version that made no requests of them', async () => {
    people.server.turn(Account.actor, alice.id, (turn) => {
      const quote = { type: 'quote', accountId: bob.id, createdAt: turn.now, statusId: post.id } as const;
      const notificationId = turn.nextId();
      turn.put(filteredNotifications, [alice.id, notificationId], { notification: quote });
      turn.put(filteredBySender, [alice.id, bob.id, notificationId], true);
      countNotifications(turn, { filtered: 1 });
    });
    expect([everything(), requests()]).toEqual([['(quote)'], []]);
    await acts.mention!();
    expect(requests()).toMatchObject([{ mentions: 1 }]);
    await settle(true);
    expect(types()).toEqual(['mention', 'quote']);
  });

  test('loses its request with its last mention, and its last status with that', async () => {
    await acts.favourite!();
    const [one, two] = [
      await people.publish(bob, { mentions: [alice] }),
      await people.publish(bob, { mentions: [alice] }),
    ];
    await people.remove(two);
    expect(requests()).toMatchObject([{ mentions: 1, lastStatusId: one.id }]);
    await people.remove(one);
    expect(requests()).toEqual([]);
    expect(everything()).toEqual(['(favourite)']);
  });

  test('is taken back like all others', async () => {
    for (const act of ['favourite', 'reblog', 'follow']) await acts[act]!();
    await people.unfavourite(bob, post);
    await people.unreblog(bob, post);
    await people.unfollow(bob, alice);
    expect(everything()).toEqual([]);
  });

  test('is dismissed and cleared like all others', async () => {
    await acts.mention!();
    await acts.favourite!();
    const [favouriteId] = storedNotifications(
      people.server.read,
      alice.id,
      { includeFiltered: true },
      { limit: 9 },
      (id) => id,
    ).items;
    await people.server.call(Account.dismissNotification.to(alice.id, { notificationId: favouriteId! }));
    expect(everything()).toEqual(['(mention)']);
    await people.server.call(Account.clearNotifications.to(alice.id, {}));
    expect(everything()).toEqual([]);
    expect(requests()).toEqual([]);
  });

  test.each<[string, () => Promise<unknown>, number]>([
    ['a block', () => people.block(alice, bob), 0],
    ['a mute with notifications', () => people.mute(alice, bob), 0],
    ['a mute without', () => people.mute(alice, bob, { notifications: false }), 1],
  ])('is removed by %s', async (_what, act, left) => {
    await acts.mention!();
    await people.publish(carol, { mentions: [alice] });
    await act();
    people.server.settle();
    expect(requests()).toHaveLength(1 + left);
    expect(everything()).toHaveLength(1 + left);
  });

  test('is a private mention without a conversation, until it is accepted', async () => {
    const secret = await people.publish(bob, { mentions: [alice], visibility: 'direct' });
    expect(findConversation(people.server.read, alice.id, secret.id)).toBeUndefined();
    await settle(true);
    expect(findConversation(people.server.read, alice.id, secret.id)).toEqual({
      lastStatusId: secret.id,
      isUnread: true,
    });
  });

  test('is dropped oldest first when there is too much of it, without dropping anything else', async () => {
    people.server.turn(Account.actor, alice.id, (turn) => {
      addNotification(turn, { type: 'poll', fromId: bob.id, statusId: 1n });
      for (let number = 1; number <= 1_010; number += 1)
        addNotification(turn, { type: 'mention', fromId: bob.id, statusId: BigInt(number) });
    });
    expect(everything()).toHaveLength(1_001);
    expect(types()).toEqual(['poll']);
    expect(requests()).toMatchObject([{ mentions: 1_000, lastStatusId: 1_010n }]);
  });
});

describe('a request', () => {
  beforeEach(() => choose({ forNotFollowing: 'filter' }));

  test('is accepted: what was filtered stands where it would have stood, and what follows comes through', async () => {
    await acts.mention!();
    await acts.favourite!();
    await people.follow(alice, carol);
    await people.publish(carol, { mentions: [alice] });
    await acts.reblog!();
    const before = everything();
    await settle(true);
    expect(types()).toEqual(before.map((one) => one.replace(/[()]/g, '')));
    expect(types()).toEqual(['reblog', 'mention', 'favourite', 'mention']);
    expect([requests(), toldOf(notificationsMerged)]).toEqual([[], 1]);
    await acts.mention!();
    expect(types()).toHaveLength(5);
  });

  test('is dismissed: what was filtered is gone, and what follows makes another one', async () => {
    await acts.mention!();
    await acts.favourite!();
    const [first] = requests();
    await settle(false);
    expect([everything(), requests(), toldOf(notificationsMerged)]).toEqual([[], [], 0]);
    await acts.mention!();
    expect(requests()).toMatchObject([{ mentions: 1 }]);
    expect(requests()[0]!.id).not.toBe(first!.id);
  });

  test('is answered once, by its owner', async () => {
    await acts.mention!();
    const ids = requests().map(({ id }) => id);
    await people.server.call(Account.settleNotificationRequests.to(bob.id, { requestIds: ids, isAccepted: false }));
    expect(requests()).toHaveLength(1);
    await settle(true, [...ids, ...ids, 7n]);
    await settle(false, ids);
    expect(types()).toEqual(['mention']);
  });

  test('is forgotten with its permission by a block', async () => {
    await acts.mention!();
    await settle(true);
    await people.block(alice, bob);
    await people.server.call(Account.unblock.to(alice.id, { targetId: bob.id }));
    await acts.mention!();
    expect(requests()).toHaveLength(1);
  });

  test('is merged in slices, one sender after the other, and says so once at the end', async () => {
    people.server.turn(Account.actor, alice.id, (turn) => {
      for (let number = 1; number <= 450; number += 1)
        addNotification(turn, { type: 'mention', fromId: bob.id, statusId: BigInt(number) });
      addNotification(turn, { type: 'mention', fromId: carol.id, statusId: 1n });
    });
    await settle(true);
    expect(types()).toHaveLength(451);
    expect(isMerged(people.server.read, alice.id)).toBe(true);
    expect(toldOf(notificationsMerged)).toBe(1);
  });

  test('that is being dismissed spares what arrives meanwhile', async () => {
    await acts.mention!();
    const [first] = requests();
    people.server.turn(Account.actor, alice.id, (turn) => {
      dismissSender(turn, bob.id);
      addNotification(turn, { type: 'mention', fromId: bob.id, statusId: 7n });
    });
    people.server.settle();
    expect(requests()).toMatchObject([{ mentions: 1, lastStatusId: 7n }]);
    expect(requests()[0]!.id).not.toBe(first!.id);
  });
});
