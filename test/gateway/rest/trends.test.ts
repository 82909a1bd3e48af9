/** Trending tags (specification 4.9): half the weight per day, each account counted once, no disallowed tags. */
import { beforeEach, expect, test } from 'vitest';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { getTag } from '../../../src/gateway/rest/tags/tags.endpoints.ts';
import { trendEndpoints } from '../../../src/gateway/rest/trends/trends.endpoints.ts';
import { trendLimits } from '../../../src/operations/trends/trend-scores.ts';
import { findTrendingTags } from '../../../src/operations/trends/trending-tags.ts';
import { Callers } from '../../operations/callers.ts';
import { newPeople } from '../../support/api-people.ts';
import type { Person } from '../../support/observer.ts';

const at = (path: string) => trendEndpoints.find((one) => one.path === path)!;
const [tags, alias] = [at('/api/v1/trends/tags'), at('/api/v1/trends')];
const hourMilliseconds = 60 * 60 * 1_000;

let { people, api, alice, bob, carol } = await newPeople();

beforeEach(async () => {
  ({ people, api, alice, bob, carol } = await newPeople());
});

const write = async (authors: readonly Person[], ...names: string[]) => {
  for (const author of authors) await people.publish(author, { tags: names });
};
const trending = async (given = {}) =>
  (await api.ask<{ name: string }[]>(tags, undefined, given)).body.map(({ name }) => name);

test('count accounts, each once, and not how often they write', async () => {
  for (let count = 0; count < 5; count += 1) await write([alice], 'often');
  await write([alice, bob], 'both');
  await write([alice, bob, carol], 'all');
  expect(await trending()).toEqual(['all', 'both', 'often']);
  const { body } = await api.ask(tags, undefined);
  expect(body[0]).toMatchObject({ name: 'all', url: 'https://here.example/tags/all' });
  expect(body[0]!.history).toMatchObject({ 0: { uses: '3', accounts: '3' }, length: 7 });
  expect((await api.ask(alias, undefined)).body).toEqual(body);
});

test('weigh half as much after a day, and nothing after seven', async () => {
  await write([alice, bob, carol], 'yesterday');
  people.server.clock.advance(25 * hourMilliseconds);
  await write([alice, bob], 'two');
  await write([alice], 'one');
  expect(await trending()).toEqual(['two', 'yesterday', 'one']);
  people.server.clock.advance(6 * 24 * hourMilliseconds);
  expect(await trending()).toEqual(['two', 'one']);
});

test('leave out what is disallowed, what silenced accounts write, and what is not public', async () => {
  await write([alice], 'good');
  await write([bob, carol], 'bad');
  await people.publish(alice, { tags: ['quiet'], visibility: 'unlisted' });
  const rita = people.remote('rita', 'there.example');
  people.moderate(rita, { limited: true });
  await people.receive(rita, 'https://there.example/1', { tags: ['silenced'] });
  await people.server.call(Instance.setHashtagDisallowed.to(instanceKey, { name: 'bad', isDisallowed: true }));
  expect(await trending()).toEqual(['good']);
});

test('have a history of seven days without what silenced and suspended accounts write', async () => {
  people.moderate(bob, { limited: true });
  await write([alice, bob, bob, carol], 'birds');
  people.suspend(carol);
  const shown = {
    name: 'birds',
    history: [{ uses: '1', accounts: '1' }, ...Array(6).fill({ uses: '0', accounts: '0' })],
  };
  expect((await api.ask(tags, undefined)).body).toMatchObject([shown]);
  expect((await api.ask(getTag, undefined, { name: 'birds' })).body).toMatchObject(shown);
});

test('are computed again the sooner the fewer statuses there are', async () => {
  await write([alice], 'first');
  expect(await trending()).toEqual(['first']);
  await write([bob, carol], 'second');
  people.server.clock.advance(2_000);
  expect(await trending()).toEqual(['second', 'first']);
  await Promise.all(Array.from({ length: 300 }, () => write([alice], 'third')));
  people.server.clock.advance(2_000);
  expect(await trending()).toHaveLength(3);
  await write([bob], 'fourth');
  people.server.clock.advance(2_000);
  expect(await trending()).toHaveLength(3);
  people.server.clock.advance(20_000);
  expect(await trending()).toHaveLength(4);
});

test('lose a tag as soon as it is disallowed', async () => {
  await write([alice], 'good');
  await write([alice, bob], 'bad');
  expect(await trending()).toEqual(['bad', 'good']);
  const change = (isDisallowed: boolean) =>
    people.server.call(Instance.setHashtagDisallowed.to(instanceKey, { name: 'bad', isDisallowed }));
  await change(true);
  expect([await trending(), await trending({ limit: 1 })]).toEqual([['good'], ['good']]);
  await change(false);
  expect(await trending()).toEqual(['bad', 'good']);
});

test('are computed from the latest statuses, in slices, every few minutes where these are many', async () => {
  await write([alice], 'first');
  for (let count = 0; count < trendLimits.statusesPerSlice + 3; count += 1) await write([bob], 'second');
  expect(await trending()).toHaveLength(2);
  await write([carol], 'third');
  expect(await trending()).toHaveLength(2);
  people.server.clock.advance(hourMilliseconds);
  expect(await trending()).toHaveLength(3);
  expect([await trending({ limit: 1 }), await trending({ offset: 2 })]).toMatchObject([{ length: 1 }, { length: 1 }]);
  expect(await trending({ offset: 40 })).toEqual([]);
});

test('of a new server are none', async () => {
  const callers = new Callers();
  expect(await findTrendingTags(callers.visitor(), { offset: 0, limit: 10 })).toEqual([]);
});
