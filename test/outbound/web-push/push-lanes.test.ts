/** Web push from the notification to the app, in simulated time. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { findPushSubscription } from '../../../src/actors/account/push/push.queries.ts';
import type { PushSubscription } from '../../../src/actors/account/push/push.records.ts';
import { pushSubscriptions } from '../../../src/actors/account/push/push.state.ts';
import { sessionLimits } from '../../../src/actors/session/limits.ts';
import type { DeliveryResult } from '../../../src/outbound/fetcher/deliver.ts';
import type { Person } from '../../support/observer.ts';
import { answered, PushBed, type Subscribed } from './push-bed.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

let bed: PushBed;
let alice: Person;
let bob: Person;

beforeEach(() => {
  bed = new PushBed();
  alice = bed.people.local('alice', {}, { locale: 'en' });
  bob = bed.people.local('bob', { displayName: 'Bob' });
});

const unreachable: DeliveryResult = { ok: false, kind: 'unreachable', fault: 'connectFailed', detail: 'refused' };
const hanging = { ok: false, kind: 'unreachable', fault: 'timedOut', detail: 'no answer' } as const;

async function mention(count = 1): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await bed.people.publish(bob, { text: `hello ${number}`, mentions: [alice] });
  await bed.settle();
}

const kept = (person: Person, { tokenId }: Subscribed) => findPushSubscription(bed.server.read, person.id, tokenId);

describe('what an app gets', () => {
  test('specification 4.8: each form as its subscription asks for, with its own token', async () => {
    const old = await bed.subscribe(alice);
    const standard = await bed.subscribe(alice, { isStandard: true });
    await mention();
    expect(bed.sent.map(({ endpoint, encoding }) => [endpoint, encoding]).sort()).toEqual(
      [
        [old.endpoint, 'aesgcm'],
        [standard.endpoint, 'aes128gcm'],
      ].sort(),
    );
    for (const subscribed of [old, standard]) {
      const [payload] = bed.payloadsOf(subscribed);
      expect(payload).toMatchObject({
        access_token: subscribed.token,
        preferred_locale: 'en',
        notification_type: 'mention',
        title: 'Bob mentioned you',
        body: 'hello 0',
      });
    }
    await bed.advance(minute);
    expect([bed.logged(), bed.problems]).toEqual([0, []]);
  });

  test('a subscription of an older version gets messages without a token, and ends like any other', async () => {
    const old = await bed.subscribe(alice, { isOld: true });
    bed.server.turn(Account.actor, alice.id, (turn) => {
      const { tokenId: _token, pushes: _pushes, ...before } = kept(alice, old) as PushSubscription;
      turn.put(pushSubscriptions, [alice.id, old.tokenId], before);
    });
    await mention();
    expect(bed.payloadsOf(old)).toMatchObject([{ access_token: '' }]);
    bed.answer('push.example', () => 410);
    await mention();
    await bed.advance(minute);
    expect(kept(alice, old)).toBeUndefined();
  });

  test('a browser gets messages without a token, until its session is closed, over, or of a former password', async () => {
    const [closed, over] = [await bed.subscribeBrowser(alice), await bed.subscribeBrowser(alice)];
    await mention();
    for (const one of [closed, over])
      expect(bed.payloadsOf(one)).toMatchObject([{ access_token: '', title: 'Bob mentioned you' }]);
    bed.close(closed);
    expect(kept(alice, closed)).toBeUndefined();
    bed.server.callNow(Account.changeLogin.to(alice.id, { passwordHash: 'another' }));
    await mention();
    await bed.advance(minute);
    expect([bed.payloadsOf(closed).length, bed.payloadsOf(over).length]).toEqual([1, 1]);
    expect(kept(alice, over)).toBeUndefined();
    const late = await bed.subscribeBrowser(alice);
    await bed.advance(sessionLimits.browserSessionMilliseconds + hour);
    expect(kept(alice, late)).toBeUndefined();
    expect(bed.problems).toEqual([]);
  });

  test('nothing for what was taken back, for a status that is gone, or a sender who was suspended', async () => {
    bed.answer('push.example', (_sent, count) => (count === 0 ? answered(429, hour) : 201));
    const subscribed = await bed.subscribe(alice);
    await mention();
    const post = await bed.people.publish(alice, { text: 'mine' });
    await bed.people.favourite(bob, post);
    await bed.people.unfavourite(bob, post);
    const carol = bed.people.local('carol');
    await bed.people.follow(carol, alice);
    bed.people.suspend(carol);
    await bed.advance(2 * hour);
    expect(bed.payloadsOf(subscribed).map(({ notification_type }) => notification_type)).toEqual([
      'mention',
      'mention',
    ]);
    expect(bed.lanes.laneReport()).toMatchObject([{ pending: 0, failures: 0 }]);
  });
});

describe('who gets it', () => {
  test.each([
    ['all', [true, true, true]],
    ['followed', [false, true, false]],
    ['follower', [false, false, true]],
    ['none', [false, false, false]],
  ] as const)('policy %s: a stranger, somebody followed, a follower', async (policy, expected) => {
    const [followed, follower] = [bed.people.local('followed'), bed.people.local('follower')];
    await bed.people.follow(alice, followed);
    await bed.people.follow(follower, alice);
    await bed.advance(minute);
    const subscribed = await bed.subscribe(alice, { policy });
    for (const [index, person] of [bob, followed, follower].entries()) {
      const before = bed.payloadsOf(subscribed).length;
      await bed.people.publish(person, { mentions: [alice] });
      await bed.settle();
      expect(bed.payloadsOf(subscribed).length - before).toBe(expected[index] ? 1 : 0);
    }
  });

  test('types that are not among the alerts, and notifications that the policy of the account filters, are not pushed', async () => {
    const follows = await bed.subscribe(alice, { alerts: ['follow'] });
    const all = await bed.subscribe(alice);
    await mention();
    expect([bed.payloadsOf(follows).length, bed.payloadsOf(all).length]).toEqual([0, 1]);
    await bed.people.follow(bob, alice);
    await bed.settle();
    expect([bed.payloadsOf(follows).length, bed.payloadsOf(all).length]).toEqual([1, 2]);
    bed.server.callNow(Account.changeNotificationPolicy.to(alice.id, { forNotFollowing: 'filter' }));
    await mention();
    expect(bed.payloadsOf(all)).toHaveLength(2);
  });

  test('a subscription that ended, or whose token was revoked, gets nothing that was waiting for it', async () => {
    bed.answer('push.example', () => unreachable);
    const [ended, revoked] = [await bed.subscribe(alice), await bed.subscribe(alice)];
    await mention();
    const before = bed.sent.length;
    bed.unsubscribe(alice, ended);
    bed.revoke(revoked);
    bed.server.settle();
    expect([kept(alice, ended), kept(alice, revoked)]).toEqual([undefined, undefined]);
    bed.answer('push.example', () => 201);
    await bed.advance(hour);
    expect(bed.sent).toHaveLength(before);
    expect(bed.logged()).toBe(0);
  });
});

describe('what push services answer', () => {
  test.each([400, 403, 404, 410, 413])('%i removes the subscription, and no other', async (status) => {
    const [refused, other] = [await bed.subscribe(alice), await bed.subscribe(alice)];
    bed.answer('push.example', ({ endpoint }) => (endpoint === refused.endpoint ? status : 201));
    await mention();
    expect(kept(alice, refused)).toBeUndefined();
    await mention();
    await bed.advance(hour);
    expect([bed.payloadsOf(refused).length, bed.payloadsOf(other).length]).toEqual([1, 2]);
    expect(bed.problems).toEqual([]);
  });

  test('a subscription made anew meanwhile is not removed by the refusal of the one before', async () => {
    const subscribed = await bed.subscribe(alice);
    const { id } = kept(alice, subscribed)!;
    bed.server.callNow(Account.pushRefused.to(alice.id, { tokenId: subscribed.tokenId, subscriptionId: id + 1n }));
    expect(kept(alice, subscribed)).toBeDefined();
  });

  test('429 with Retry-After is waited for; the subscription stays', async () => {
    bed.answer('push.example', (_sent, count) => (count === 0 ? answered(429, 7 * minute) : 201));
    const subscribed = await bed.subscribe(alice);
    await mention();
    await bed.advance(hour);
    const [first, next] = bed.timesOf('push.example');
    expect(next! - first!).toBe(7 * minute);
    expect(kept(alice, subscribed)).toBeDefined();
  });

  test('a service that fails is asked again with growing pauses, at most five times for one message', async () => {
    bed.answer('push.example', () => unreachable);
    const subscribed = await bed.subscribe(alice);
    await mention();
    await bed.advance(47 * hour);
    const times = bed.timesOf('push.example');
    const pauses = times.slice(1).map((at, index) => at - times[index]!);
    expect(times.length).toBeGreaterThan(4);
    expect(times.length).toBeLessThanOrEqual(6);
    expect([...pauses].sort((one, other) => one - other)).toEqual(pauses);
    expect(bed.dropped).toEqual(['given up']);
    expect(bed.logged()).toBe(0);
    expect(kept(alice, subscribed)).toBeDefined();
  });

  test('a message that alone fails keeps the others neither waiting nor from arriving', async () => {
    const [bad, good] = [await bed.subscribe(alice), await bed.subscribe(alice)];
    bed.answer('push.example', ({ endpoint }) => (endpoint === bad.endpoint ? 500 : 201));
    await mention(5);
    await bed.advance(minute);
    await mention();
    await bed.advance(2 * hour);
    expect(new Set(bed.payloadsOf(good).map(({ body }) => body)).size).toBe(5);
    expect(bed.payloadsOf(good)).toHaveLength(6);
    expect(kept(alice, bad)).toBeDefined();
  });

  test('what is older than two days is not sent', async () => {
    bed.answer('push.example', () => answered(429, 24 * hour));
    const subscribed = await bed.subscribe(alice);
    await mention();
    await bed.advance(24 * hour);
    bed.answer('push.example', () => answered(429, 24 * hour));
    await bed.advance(25 * hour);
    bed.answer('push.example', () => 201);
    const before = bed.payloadsOf(subscribed).length;
    await bed.advance(72 * hour);
    expect(bed.payloadsOf(subscribed)).toHaveLength(before);
    await mention();
    expect(bed.payloadsOf(subscribed)).toHaveLength(before + 1);
  });
});

describe('bounds', () => {
  test('of what waits for one subscription the oldest is dropped, and counted', async () => {
    bed.answer('push.example', () => answered(429, hour));
    const subscribed = await bed.subscribe(alice);
    await mention(130);
    bed.answer('push.example', () => 201);
    await bed.advance(2 * hour);
    const ids = bed.sent.filter(({ endpoint }) => endpoint === subscribed.endpoint);
    const last = new Set(ids.slice(-100).map(({ text }) => /"notification_id":(\d+),/.exec(text)![1]));
    expect(last.size).toBe(100);
    expect(bed.dropped.filter((why) => why === 'overtaken').length).toBe(30);
  });

  test('a thousand subscriptions at a dead service delay nothing at another', async () => {
    const people = Array.from({ length: 20 }, (_, index) => bed.people.local(`person${index}`));
    for (const [index, person] of people.entries())
      for (let number = 0; number < 50; number += 1)
        await bed.subscribe(person, { host: number === 25 && index === 7 ? 'live.example' : 'dead.example' });
    bed.answer('dead.example', () => hanging);
    for (let round = 0; round < 3; round += 1) await bed.people.publish(bob, { text: 'all', mentions: people });
    const startedAt = bed.now();
    await bed.settle();
    expect(bed.timesOf('live.example')).toEqual([startedAt, startedAt, startedAt]);
    await bed.advance(hour);
    // One attempt for each pause, however many messages wait.
    expect(bed.timesOf('dead.example').length).toBeLessThan(20);
    const [dead, live] = ['dead.example', 'live.example'].map((host) =>
      bed.lanes.laneReport().find((lane) => lane.host === host),
    );
    expect(live).toMatchObject({ state: 'healthy', pending: 0 });
    expect(dead!.failures).toBeGreaterThan(2);
    expect(dead!.pending).toBeGreaterThan(2_900);
  });
});

test('a thread that dies loses no message, and repeats only what was not stored as sent', async () => {
  const subscribed = await bed.subscribe(alice);
  await mention(3);
  await bed.advance(second);
  bed.answer('push.example', () => unreachable);
  await mention(3);
  const before = bed.payloadsOf(subscribed).length;
  bed.answer('push.example', () => 201);
  await bed.crash();
  await bed.advance(hour);
  const ids = bed.sent.map(({ text }) => /"notification_id":(\d+),/.exec(text)![1]);
  expect(new Set(ids).size).toBe(6);
  expect(bed.payloadsOf(subscribed).length - before).toBe(3);
  expect(bed.logged()).toBe(0);
});
