/** The relay's actor over memory: who subscribes, what is logged, and what leaves the log. */
import { beforeEach, describe, expect, test } from 'vitest';
import { relayLimits } from '../../../src/actors/relay/limits.ts';
import { Relay, relayKey } from '../../../src/actors/relay/relay.messages.ts';
import {
  allSubscriptions,
  findSubscription,
  relayedAfter,
  relayState,
} from '../../../src/actors/relay/relay.queries.ts';
import type { Relayed, SubscriptionForm } from '../../../src/actors/relay/relay.records.ts';
import { relayNames, relaySeen } from '../../../src/actors/relay/relay.state.ts';
import type { Envelope } from '../../../src/runtime/contract.ts';
import { digestOfName } from '../../../src/runtime/ids.ts';
import { entryCounts } from '../../support/entry-counts.ts';
import { People } from '../../support/people.ts';

let people: People;
const host = 'birds.example';
const minute = 60_000;

beforeEach(() => {
  people = new People();
});

const call = <Reply>(envelope: Envelope<Reply>) => people.server.callNow(envelope);

const followerOf = (form: SubscriptionForm, id = 1) => ({
  form,
  actor: `https://${host}/actor`,
  inbox: `https://${host}/actor/inbox`,
  postsInbox: `https://${host}/inbox`,
  follow: JSON.stringify({ id: `https://${host}/follows/${id}`, type: 'Follow' }),
});

function follow(mode: 'open' | 'approval' | 'allow-list', form: SubscriptionForm = 'public') {
  return call(Relay.follow.to(relayKey, { host, follower: followerOf(form), mode }));
}

const stateOf = () => findSubscription(people.server.read, host)?.state;

/** Kinds of what was said to the server since the last call, in order. */
const said = () => people.takeDeliveries().map(({ intent: { kind } }) => kind);

describe('a Follow', () => {
  test.each([
    ['open', 'public', 'active', ['acceptSubscription']],
    ['open', 'actor', 'confirming', ['acceptSubscription', 'followSubscriber']],
    ['approval', 'public', 'pending', []],
    ['allow-list', 'public', undefined, ['rejectSubscription']],
  ] as const)('where subscriptions are %s, of %s', (mode, form, state, answers) => {
    expect(follow(mode, form).state).toBe(state);
    expect(stateOf()).toBe(state);
    expect(said()).toEqual(answers);
  });

  test('that waits is answered once staff approve it', () => {
    follow('approval');
    call(Relay.admit.to(relayKey, { host }));
    expect([stateOf(), said()]).toEqual(['active', ['acceptSubscription']]);
  });

  test('of a listed server is accepted', () => {
    call(Relay.admit.to(relayKey, { host }));
    expect(stateOf()).toBe('allowed');
    expect(follow('allow-list').state).toBe('active');
  });

  test('of a refused server is refused again, and an Undo changes nothing of that', () => {
    follow('open');
    call(Relay.reject.to(relayKey, { host }));
    expect(follow('open').state).toBe('refused');
    call(Relay.leave.to(relayKey, { host }));
    expect(stateOf()).toBe('refused');
    expect(said()).toEqual(['acceptSubscription', 'rejectSubscription', 'rejectSubscription']);
  });

  test('that is repeated is answered again, and the subscription goes on', () => {
    follow('open');
    publish(relayed(1));
    const before = findSubscription(people.server.read, host);
    follow('open');
    expect(said()).toEqual(['acceptSubscription', 'acceptSubscription']);
    expect(findSubscription(people.server.read, host)).toEqual(before);
  });

  test('of the actor is complete once the server has accepted that of the relay, and taken back at the end', () => {
    follow('open', 'actor');
    call(Relay.confirmed.to(relayKey, { host }));
    expect(stateOf()).toBe('active');
    call(Relay.remove.to(relayKey, { host }));
    expect(Array.from(allSubscriptions(people.server.read))).toEqual([]);
    expect(said().slice(2)).toEqual(['rejectSubscription', 'unfollowSubscriber']);
  });
});

function relayed(number: number, more: Partial<Relayed> = {}): Relayed {
  const author = 'https://there.example/users/alice';
  return {
    type: 'Create',
    id: `${author}/${number}/activity`,
    author,
    object: `${author}/${number}`,
    from: 'there.example',
    body: new Uint8Array(1_000),
    traits: { tags: [], hasMedia: false, isSensitive: false, isBot: false },
    ...more,
  };
}

function publish(post: Relayed, logBytesMax = 1_000_000, names = [post.id, post.object]): boolean {
  const posts = [{ relayed: post, names }];
  return call(Relay.publish.to(relayKey, { posts, ageMilliseconds: 30 * minute, logBytesMax })).areNew[0]!;
}

const logged = () => relayedAfter(people.server.read, 0, 100).map(({ sequence }) => sequence);
const progress = (floor: number, reader = 0, readers = 1) =>
  call(Relay.progressed.to(relayKey, { reader, readers, lanes: [], floor }));

describe('the log', () => {
  test('has what comes once, under either of its names', () => {
    expect([publish(relayed(1)), publish(relayed(1)), publish(relayed(2))]).toEqual([true, false, true]);
    const announced = relayed(3, { id: relayed(2).object });
    expect(publish(announced, 1_000_000, [announced.id])).toBe(false);
    expect(logged()).toEqual([1, 2]);
  });

  test('recognises it for days, and then forgets it', () => {
    publish(relayed(1));
    people.server.clock.advance(48 * 60 * minute);
    expect(publish(relayed(1))).toBe(false);
    people.server.clock.advance(48 * 60 * minute);
    expect(publish(relayed(1))).toBe(true);
  });

  test('takes several at once, in their order, and each once', () => {
    publish(relayed(1));
    const posts = [relayed(2), relayed(1), relayed(3), relayed(2)].map((post) => ({
      relayed: post,
      names: [post.id, post.object],
    }));
    const bounds = { ageMilliseconds: 30 * minute, logBytesMax: 1_000_000 };
    expect(call(Relay.publish.to(relayKey, { posts, ...bounds })).areNew).toEqual([true, false, true, false]);
    const objects = relayedAfter(people.server.read, 0, 100).map(({ object }) => object);
    expect(objects).toEqual([1, 2, 3].map((number) => relayed(number).object));
  });

  const names = () => entryCounts(people.server)[relayNames.name];
  const formerNames = () => entryCounts(people.server)[relaySeen.name];

  test('does not keep the names of what it has forgotten', () => {
    const count = 2 * relayLimits.sweptEvery;
    for (let number = 1; number <= count; number += 1) publish(relayed(number));
    expect(names()).toBe(2 * count);
    people.server.clock.advance(72 * 60 * minute);
    for (let number = count + 1; number <= 2 * count; number += 1) publish(relayed(number));
    expect(names()).toBe(2 * count);
  });

  test('recognises what an earlier version has passed on, and keeps no name of it for longer', () => {
    const post = relayed(1);
    const name = digestOfName(post.object).readBigUInt64BE();
    const { now } = people.server.clock;
    const portion = Math.floor(now() / relayLimits.formerPortionMilliseconds);
    people.server.turn(Relay.actor, relayKey, (turn) => turn.put(relaySeen, [relayKey, portion, name], { at: now() }));
    expect([publish(post), publish(relayed(2)), publish(post)]).toEqual([false, true, false]);
    people.server.clock.advance(96 * 60 * minute);
    publish(relayed(3));
    expect(formerNames()).toBeUndefined();
    expect(relayState(people.server.read).hasFormerNames).toBe(false);
    expect(publish(post)).toBe(true);
  });

  test('is trimmed when all readers have passed it, and no earlier', () => {
    for (const number of [1, 2, 3]) publish(relayed(number));
    progress(3, 0, 2);
    expect(logged()).toEqual([1, 2, 3]);
    progress(2, 1, 2);
    expect(logged()).toEqual([2, 3]);
    expect(relayState(people.server.read).logBytes).toBe(2 * 1_300);
  });

  test('loses what is too old, whoever still needs it', () => {
    publish(relayed(1));
    people.server.clock.advance(31 * minute);
    publish(relayed(2));
    progress(1);
    expect(logged()).toEqual([2]);
  });

  test('makes room by the oldest, and counts that', () => {
    for (const number of [1, 2, 3, 4]) publish(relayed(number), 3_000);
    expect(logged()).toEqual([3, 4]);
    expect(relayState(people.server.read)).toMatchObject({ overwritten: 2, overwrittenThrough: 2 });
  });
});
