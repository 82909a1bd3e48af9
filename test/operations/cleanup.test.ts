/** Posts that are deleted once they are old, by the rule of their account. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { cleanStatuses } from '../../src/actors/account/cleanup/cleanup.effects.ts';
import { cleanupOf } from '../../src/actors/account/cleanup/cleanup.queries.ts';
import type { CleanupPolicy } from '../../src/actors/account/cleanup/cleanup.records.ts';
import { cleanupLimits } from '../../src/actors/account/cleanup/limits.ts';
import { isKept, type OldPost } from '../../src/actors/policy/status-cleanup.ts';
import { changeCleanup, cleanupPolicyOf } from '../../src/operations/cleanup/change-cleanup.ts';
import { cleanupRunner } from '../../src/operations/cleanup/cleanup-runner.ts';
import type { Post } from '../support/acts.ts';
import * as acts from '../support/acts.ts';
import type { Person } from '../support/observer.ts';
import { Callers } from './callers.ts';

const { deletedMax, firstMilliseconds, everyMilliseconds, pauseMilliseconds } = cleanupLimits;
const week = cleanupLimits.ageSecondsMin;
const policy: CleanupPolicy = {
  ...{ ageSecondsMin: week, keepsDirect: false, keepsPinned: false, keepsPolls: false },
  ...{ keepsMedia: false, keepsFavourited: false, keepsBookmarked: false },
};
let callers: Callers;
let alice: Person;

beforeEach(() => {
  callers = new Callers();
  alice = callers.people.local('alice');
});

const change = (rule?: CleanupPolicy) => changeCleanup(callers.as(alice), { policy: rule });
const isThere = (post: Post) => callers.people.statusRecord(post.id) !== undefined;
const advance = (milliseconds: number) => callers.people.server.clock.advance(milliseconds);

/** Runs the slices that are asked for now, each twice: a kill before its answer was stored. */
async function run(): Promise<number> {
  const { server } = callers.people;
  const [, runner] = cleanupRunner(callers.services);
  server.settle();
  for (let slices = 0; ; slices += 1) {
    const index = server.effects.findIndex(({ effect }) => effect === cleanStatuses.number);
    const [asked] = index === -1 ? [] : server.effects.splice(index, 1);
    if (asked === undefined) return slices;
    const answer = await runner(asked.request);
    await runner(asked.request);
    asked.answer(answer);
    server.settle();
  }
}

test('what is old goes an hour after the rule was made, and the rest when it is old', async () => {
  const { people } = callers;
  const old = await people.publish(alice);
  const boost = people.server.callNow(acts.reblog(alice, await people.publish(people.local('bob'))));
  advance((week - 60) * 1_000);
  const young = await people.publish(alice);
  await change(policy);
  advance(firstMilliseconds - 1);
  expect([await run(), isThere(old)]).toEqual([0, true]);
  people.takeDeliveries();
  advance(1);
  expect(await run()).toBe(1);
  expect([isThere(old), isThere(young)]).toEqual([false, true]);
  expect(people.statusRecord((boost as { statusId: bigint }).statusId)).toBeUndefined();
  advance(week * 1_000);
  await run();
  expect(isThere(young)).toBe(false);
  people.expectSound();
});

test('exceptions stay', async () => {
  const { people } = callers;
  const bob = people.local('bob');
  const posts = {
    direct: await people.publish(alice, { visibility: 'direct', mentions: [bob] }),
    pinned: await people.publish(alice),
    media: await people.publish(alice, { withMedia: true }),
    favourited: await people.publish(alice),
    bookmarked: await people.publish(alice),
    popular: await people.publish(alice),
    plain: await people.publish(alice),
  };
  await people.server.call(Account.pin.to(alice.id, { statusId: posts.pinned.id }));
  await people.favourite(alice, posts.favourited);
  await people.server.call(Account.bookmark.to(alice.id, { statusId: posts.bookmarked.id }));
  for (const one of [bob, people.local('carol')]) await people.favourite(one, posts.popular);
  const all = { keepsDirect: true, keepsPinned: true, keepsMedia: true, keepsFavourited: true, keepsBookmarked: true };
  await change({ ...policy, ...all, favouritesMin: 2 });
  advance(week * 1_000 + firstMilliseconds);
  await run();
  const left = Object.entries(posts).filter(([, post]) => isThere(post));
  expect(left.map(([name]) => name)).toEqual(Object.keys(posts).filter((name) => name !== 'plain'));
  await change(policy);
  advance(firstMilliseconds);
  await run();
  expect(Object.values(posts).filter(isThere)).toEqual([]);
  people.expectSound();
});

test.each([
  [{ keepsPolls: true }, { poll: {} }, true],
  [{}, { poll: {} }, false],
  [{ reblogsMin: 3 }, {}, true],
  [{ reblogsMin: 4 }, {}, false],
  [{}, { importedFrom: 'https://old.example/1' }, true],
  [{ reblogsMin: 1, keepsPinned: true }, { isBoost: true }, false],
])('the rule %j keeps %j: %s', (rule, status, kept) => {
  const post = {
    status: { createdAt: 0, visibility: 'public', ...status, ...('isBoost' in status && { reblogOfId: 7n }) },
    counters: { favourites: 0, reblogs: 3 },
    ...{ isPinned: false, isFavourited: false, isBookmarked: false },
  } as unknown as OldPost;
  expect(isKept({ ...policy, ...rule }, post)).toBe(kept);
});

test('many go in slices with pauses, and a rule that was taken back ends in the middle', async () => {
  const { people } = callers;
  const posts: Post[] = [];
  for (let count = 0; count < 2 * deletedMax + 2; count += 1) posts.push(await people.publish(alice));
  // Each slice runs twice.
  const left = () => posts.filter(isThere).length;
  advance(week * 1_000);
  await change(policy);
  advance(firstMilliseconds);
  expect([await run(), left()]).toEqual([1, 2]);
  advance(pauseMilliseconds);
  expect([await run(), left()]).toEqual([1, 0]);

  const last = await people.publish(alice);
  advance(week * 1_000);
  await change(undefined);
  expect(cleanupOf(people.server.read, alice.id)).toBeUndefined();
  advance(everyMilliseconds);
  await run();
  expect(isThere(last)).toBe(true);
  people.expectSound();
});

test('nothing of an account that nobody may act for is deleted', async () => {
  const post = await callers.people.publish(alice);
  await change(policy);
  callers.people.server.callNow(Account.changeLogin.to(alice.id, { disabled: true }));
  advance(week * 1_000 + firstMilliseconds);
  await run();
  expect(isThere(post)).toBe(true);
});

test.each([
  { ageSecondsMin: week - 1 },
  { ageSecondsMin: cleanupLimits.ageSecondsMax + 1 },
  { ageSecondsMin: Number.NaN },
  { favouritesMin: 0 },
  { reblogsMin: 1.5 },
])('a rule with %j is refused', async (wrong) => {
  await expect(change({ ...policy, ...wrong })).rejects.toMatchObject({ code: 'validation' });
  expect(cleanupPolicyOf(callers.services, alice.id).isOn).toBe(false);
});
