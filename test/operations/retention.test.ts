/** Old posts of other servers that nobody here uses: what goes, what stays, and how they come back. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { concernsLocals } from '../../src/actors/account/remote/forgettable.queries.ts';
import { Instance, instanceKey } from '../../src/actors/instance/instance.messages.ts';
import { retentionLimits } from '../../src/actors/instance/retention/limits.ts';
import { forgetRemoteStatuses, type SweptSlice } from '../../src/actors/instance/retention/retention.effects.ts';
import { findRetention } from '../../src/actors/instance/retention/retention.queries.ts';
import { Marks } from '../../src/operations/retention/marks.ts';
import { retentionRunner } from '../../src/operations/retention/retention-runner.ts';
import { composeId } from '../../src/runtime/ids.ts';
import type { Post, PostOptions } from '../support/acts.ts';
import * as acts from '../support/acts.ts';
import type { Person } from '../support/observer.ts';
import { plainPost } from '../support/plain-post.ts';
import { Callers } from './callers.ts';

const { dayMilliseconds: day, firstMilliseconds, everyMilliseconds } = retentionLimits;
const days = 30;
let callers: Callers;
let alice: Person;
let bob: Person;
const forgotten = { count: 0 };

beforeEach(() => {
  callers = new Callers();
  alice = callers.people.local('alice');
  bob = callers.people.remote('bob', 'remote.test');
  forgotten.count = 0;
});

const setDays = (number: number) =>
  callers.people.server.call(Instance.changeRetention.to(instanceKey, { days: number }));
const advance = (milliseconds: number) => callers.people.server.clock.advance(milliseconds);
const isThere = ({ id }: Post) => callers.people.statusRecord(id) !== undefined;
const state = () => findRetention(callers.people.server.read)!;
const runnerOfNow = () => {
  const statusesForgotten = (count: number) => {
    forgotten.count += count;
  };
  return retentionRunner(callers.services, { statusesForgotten })[1];
};

let count = 0;
function receive(author: Person, options: PostOptions = {}, age = 100): Promise<Post> {
  count += 1;
  return callers.people.receive(author, `https://remote.test/notes/${count}`, {
    ...options,
    ageMilliseconds: age * day,
  });
}

/** Runs the slices that are asked for now: by default each twice, as after a kill before its answer was stored. */
async function run(times = 2): Promise<number> {
  const { server } = callers.people;
  server.settle();
  for (let slices = 0; ; slices += 1) {
    const index = server.effects.findIndex(({ effect }) => effect === forgetRemoteStatuses.number);
    const [asked] = index === -1 ? [] : server.effects.splice(index, 1);
    if (asked === undefined) return slices;
    const answer = await runnerOfNow()(asked.request);
    for (let more = 1; more < times; more += 1) await runnerOfNow()(asked.request);
    asked.answer(answer);
    server.settle();
  }
}

async function forgetNow(times?: number): Promise<void> {
  await setDays(days);
  advance(firstMilliseconds);
  await run(times);
}

test('what is old goes an hour after the rule was made, the rest when it is old, and nothing without a rule', async () => {
  const { people } = callers;
  const before = people.entryCounts();
  const old = await receive(bob, { tags: ['cats'], withMedia: true });
  const young = await receive(bob, {}, days - 1);
  const boostedAt = people.server.clock.now() - 99 * day;
  const boost = acts.receiveReblog(people.remote('carol', 'other.test'), old, 'https://other.test/1', boostedAt);
  await people.server.call(boost);
  expect(people.accountCounters(bob).statuses).toBe(2);
  await setDays(days);
  advance(firstMilliseconds - 1);
  expect(await run()).toBe(0);
  expect(isThere(old)).toBe(true);
  advance(1);
  expect(await run()).toBe(1);
  expect([isThere(old), isThere(young), forgotten.count]).toEqual([false, true, 1]);
  expect(people.accountCounters(bob).statuses).toBe(1);
  expect(state()).toMatchObject({ days, run: { examined: 1, forgotten: 1 } });
  people.expectSound();
  advance(everyMilliseconds);
  await run();
  expect(isThere(young)).toBe(false);
  people.expectSound();
  // Nothing of them is left: no entry of a list, of a boost, nor a tombstone.
  for (const name of [
    'statuses',
    'statuses of account',
    'status by URI',
    'tombstones',
    'remote timeline',
    'reblogs of status',
  ])
    expect([name, people.entryCounts()[name] ?? 0]).toEqual([name, before[name] ?? 0]);
  const late = await receive(bob);
  await setDays(0);
  advance(everyMilliseconds);
  expect(await run()).toBe(0);
  expect([isThere(late), state().nextAt]).toEqual([true, undefined]);
  people.expectSound();
});

test('what somebody here has to do with stays', async () => {
  const { people } = callers;
  const { server } = people;
  const carol = people.remote('carol', 'other.test');
  const posts: { [name: string]: Post } = {};
  // What people here refer to is found however much they have written.
  for (let written = 0; written < 100; written += 1) await people.publish(alice);
  for (const name of ['answered', 'boosted', 'favourited', 'bookmarked', 'quoted', 'pinned', 'filtered', 'reported'])
    posts[name] = await receive(bob);
  for (const name of ['toBeAnswered', 'toBeQuoted']) posts[name] = await receive(bob);
  posts.mentioning = await receive(bob, { mentions: [alice] });
  posts.answering = await receive(bob, { replyTo: await people.publish(alice) });
  posts['for followers'] = await receive(bob, { visibility: 'private' });
  posts.direct = await receive(bob, { visibility: 'direct', mentions: [alice] });
  // Somebody else's branch of a thread in which alice has written, and the thread above her reply.
  posts.root = await receive(carol);
  posts.above = await receive(bob, { replyTo: posts.root });
  posts.beside = await receive(carol, { replyTo: posts.above });
  await people.publish(alice, { replyTo: posts.above });
  posts['boosted lately'] = await receive(bob);
  await people.reblog(carol, posts['boosted lately']);
  posts['answered lately'] = await receive(bob);
  await receive(carol, { replyTo: posts['answered lately'] }, 1);
  await people.publish(alice, { replyTo: posts.answered! });
  await people.reblog(alice, posts.boosted!);
  await people.favourite(alice, posts.favourited!);
  await server.call(Account.bookmark.to(alice.id, { statusId: posts.bookmarked!.id }));
  const quote = { accountId: bob.id, statusId: posts.quoted!.id, state: 'accepted' as const };
  await server.call(Account.publish.to(alice.id, plainPost('look', { quote })));
  posts['quoted without consent'] = await receive(bob);
  const pending = { ...quote, statusId: posts['quoted without consent'].id, state: 'pending' as const };
  await server.call(Account.publish.to(alice.id, plainPost('look', { quote: pending })));
  await server.call(Account.receivePins.to(bob.id, { statusIds: [posts.pinned!.id] }));
  const changes = { title: 'not this', contexts: ['home' as const] };
  const filter = await server.call(Account.changeFilter.to(alice.id, { changes, keywords: [] }));
  const filterId = (filter as { filterId: bigint }).filterId;
  await server.call(Account.addFilterStatus.to(alice.id, { filterId, statusId: posts.filtered!.id }));
  const report = { targetId: bob.id, ruleIds: [], category: 'spam' as const, comment: '' };
  await server.call(Account.fileReport.to(alice.id, { ...report, statusIds: [posts.reported!.id] }));
  const scheduledAt = server.clock.now() + 365 * day;
  for (const [field, name] of [
    ['inReplyToId', 'toBeAnswered'],
    ['quotedStatusId', 'toBeQuoted'],
  ] as const)
    await server.call(
      Account.schedulePost.to(alice.id, {
        scheduledAt,
        post: { text: 'later', spoilerText: '', visibility: 'public', [field]: posts[name]!.id },
      }),
    );
  const plain = await receive(bob);
  // What mentions or answers somebody does so without a notification of it.
  await server.call(Account.clearNotifications.to(alice.id, {}));
  await forgetNow();
  expect(
    Object.entries(posts)
      .filter(([, post]) => !isThere(post))
      .map(([name]) => name),
  ).toEqual([]);
  expect([isThere(plain), forgotten.count]).toEqual([false, 1]);
  people.expectSound();
});

test('what quotes somebody here concerns them', () => {
  const { read } = callers.people.server;
  const quoting = ({ id: accountId }: Person) =>
    concernsLocals(read, { mentions: [], quote: { accountId, statusId: composeId(1, 1, 1), state: 'accepted' } });
  expect([quoting(alice), quoting(bob)]).toEqual([true, false]);
});

test('a notification keeps its post', async () => {
  const { people } = callers;
  await people.follow(alice, bob, { notify: true });
  const told = await receive(bob, {}, 0);
  const carol = people.remote('carol', 'other.test');
  const untold = await receive(carol, {}, 0);
  expect(people.notificationsOf(alice)).toMatchObject([{ type: 'status', statusId: told.id }]);
  advance(100 * day);
  await forgetNow();
  expect([isThere(told), isThere(untold)]).toEqual([true, false]);
});

test('a thread goes from its end: at once where one author wrote it, otherwise with the next runs', async () => {
  const { people } = callers;
  const own: Post[] = [await receive(bob, {}, 200)];
  for (let length = 1; length < 120; length += 1)
    own.push(await receive(bob, { replyTo: own.at(-1) }, 200 - length / 10));
  // In a slot that is looked at later.
  const carol = people.remote('carol', 'other.test', { partition: 1 });
  const root = await receive(people.remote('dave', 'third.test', { partition: 0 }));
  const reply = await receive(carol, { replyTo: root }, 90);
  expect(people.countersOf(root).replies).toBe(1);
  await forgetNow(1);
  expect(own.filter(isThere)).toEqual([]);
  expect([isThere(root), isThere(reply), people.countersOf(root).replies]).toEqual([true, false, 0]);
  people.expectSound();
  advance(everyMilliseconds);
  await run();
  expect(isThere(root)).toBe(false);
});

test('what was forgotten comes back with its id, and is a post like others', async () => {
  const { people } = callers;
  const old = await receive(bob, { tags: ['cats'] });
  const publishedAt = people.statusRecord(old.id)!.createdAt;
  for (let number = 0; number < 120; number += 1) await people.reblog(people.remote(`fan${number}`, 'fans.test'), old);
  advance(60 * day);
  await forgetNow();
  expect(isThere(old)).toBe(false);
  const uri = `https://remote.test/notes/${count}`;
  const { server } = people;
  const again = await server.call(acts.receive(bob, { uri, publishedAt, threadId: undefined }, server.clock.now()));
  expect(again.statusId).toBe(old.id);
  expect(people.countersOf(old)).toMatchObject({ reblogs: 0 });
  await people.reblog(alice, old);
  await people.favourite(alice, old);
  expect(people.countersOf(old)).toMatchObject({ reblogs: 1, favourites: 1 });
  people.expectSound();
});

test('what is bookmarked, favourited or answered while a run goes on stays', async () => {
  const { people, services } = callers;
  // The first one is in a slot that is looked at before.
  const first = await receive(people.remote('dave', 'third.test', { partition: 0 }));
  const late = people.remote('erin', 'third.test', { partition: 1 });
  const [bookmarked, other] = [await receive(late), await receive(late)];
  const { call } = services.client;
  services.client.call = (envelope, ...rest) => {
    if (isThere(first)) people.server.callNow(Account.bookmark.to(alice.id, { statusId: bookmarked.id }));
    return call.call(services.client, envelope, ...rest) as never;
  };
  await forgetNow();
  expect([isThere(first), isThere(bookmarked), isThere(other)]).toEqual([false, true, false]);
  // The turn of the author looks again at what it knows itself.
  const [favourited, answered] = [await receive(bob), await receive(bob)];
  await people.favourite(alice, favourited);
  await people.publish(alice, { replyTo: answered });
  const statusIds = [favourited.id, answered.id];
  const told = Account.forgetStatuses.to(bob.id, { statusIds, before: people.server.clock.now() });
  expect(await people.server.call(told)).toEqual({ forgotten: 0 });
});

test('what somebody begins to need while posts of its slot are forgotten stays, or comes back', async () => {
  const { people, services } = callers;
  const { server } = people;
  const root = await receive(people.remote('carol', 'other.test'), {}, 900);
  const posts: Post[] = [];
  const address = `https://remote.test/notes/${count + 1}`;
  for (let number = 0; number < 230; number += 1) posts.push(await receive(bob, {}, 200 + number));
  // Older than all whose author is told at once.
  const branch = await receive(bob, { replyTo: root }, 500);
  const [reported, filtered, answered, quoted, notified] = posts.slice(-5) as [Post, Post, Post, Post, Post];
  const atOnce = posts[0]!;
  const addresses: string[] = [];
  const need = () => {
    const report = { targetId: bob.id, ruleIds: [], category: 'spam' as const, comment: '' };
    server.callNow(Account.fileReport.to(alice.id, { ...report, statusIds: [reported.id] }));
    const changes = { title: 'not this', contexts: ['home' as const] };
    const { filterId } = server.callNow(Account.changeFilter.to(alice.id, { changes, keywords: [] }));
    server.callNow(Account.addFilterStatus.to(alice.id, { filterId, statusId: filtered.id }));
    const scheduledAt = server.clock.now() + 365 * day;
    for (const [field, post] of [
      ['inReplyToId', answered],
      ['quotedStatusId', quoted],
    ] as const)
      server.callNow(
        Account.schedulePost.to(alice.id, {
          scheduledAt,
          post: { text: 'later', spoilerText: '', visibility: 'public', [field]: post.id },
        }),
      );
    server.send(Account.notify.to(alice.id, { type: 'status', fromId: bob.id, statusId: notified.id }));
    server.callNow(acts.publish(alice, { replyTo: root }, root.id));
    server.callNow(Account.bookmark.to(alice.id, { statusId: atOnce.id }));
  };
  const { call } = services.client;
  let isFirst = true;
  services.client.call = (envelope, ...rest) => {
    if (isFirst && envelope.message === Account.forgetStatuses.number) {
      isFirst = false;
      need();
    }
    return call.call(services.client, envelope, ...rest) as never;
  };
  Object.assign(services.resolver, {
    resolveAddress: async (address: string) => void addresses.push(address),
  });
  await forgetNow();
  const needed = { reported, filtered, answered, quoted, notified, branch };
  expect(Object.entries(needed).filter(([, post]) => !isThere(post))).toEqual([]);
  expect(isThere(posts[100]!)).toBe(false);
  // The turn of its author ran first: it is fetched again.
  expect([isThere(atOnce), addresses]).toEqual([false, [address]]);
});

test('a run that rested until the event logs tell no more of what people did looks anew', async () => {
  const { people, services } = callers;
  const { server } = people;
  const first = await receive(people.remote('dave', 'third.test', { partition: 0 }));
  const kept = await receive(people.remote('erin', 'third.test', { partition: 1 }));
  const { monotonic } = services;
  const { call } = services.client;
  let ahead = 0;
  const slow = (envelope: Parameters<typeof call>[0], flow: string) => {
    ahead += 6_000;
    return call.call(services.client, envelope, flow) as never;
  };
  Object.assign(services.client, { call: slow });
  Object.assign(services, { monotonic: () => monotonic() + ahead });
  const now = server.clock.now();
  const asked = { retentionId: 1n, startedAt: now, before: now - days * day, slot: 0 };
  const runner = runnerOfNow();
  const { slot } = (await runner(asked, undefined)) as SweptSlice;
  expect([isThere(first), slot]).toEqual([false, expect.any(Number)]);
  await server.call(Account.bookmark.to(alice.id, { statusId: kept.id }));
  for (let hours = 0; hours < 4; hours += 1) {
    advance(60 * 60 * 1_000);
    await people.publish(alice);
  }
  expect(await runner({ ...asked, slot }, undefined)).toMatchObject({ forgotten: 0 });
  expect(isThere(kept)).toBe(true);
});

test('a run goes on where it was interrupted, and ends with its rule', async () => {
  const { people } = callers;
  const posts = [await receive(bob), await receive(people.remote('carol', 'other.test'))];
  await setDays(days);
  advance(firstMilliseconds);
  people.server.settle();
  const retentionId = state().id;
  // A slice has ended before the slot of the second one.
  const asked = people.server.effects.find(({ effect }) => effect === forgetRemoteStatuses.number)!;
  people.server.effects.splice(people.server.effects.indexOf(asked), 1);
  asked.answer({ retentionId, slot: 700, examined: 5, forgotten: 3 });
  people.server.settle();
  expect(state().run).toMatchObject({ slot: 700, examined: 5, forgotten: 3 });
  await setDays(60);
  expect(await run()).toBe(1);
  expect(state()).toMatchObject({ days: 60, run: { slot: 700, forgotten: 3, endedAt: expect.any(Number) } });
  advance(firstMilliseconds);
  await run();
  expect(posts.filter(isThere)).toEqual([]);
  people.expectSound();
});

test('marks hold whatever was added, and few others', () => {
  const marks = new Marks(7, 10_000);
  const idOf = (number: number) => composeId(1_700_000_000_000 + number * 997, number % 1_024, number % 64);
  for (let number = 0; number < 10_000; number += 1) marks.add(idOf(number));
  let [held, others] = [0, 0];
  for (let number = 0; number < 10_000; number += 1) {
    held += Number(marks.has(idOf(number)));
    others += Number(marks.has(idOf(number + 20_000)));
  }
  expect(held).toBe(10_000);
  expect(others).toBeLessThan(500);
});
